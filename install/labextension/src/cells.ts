// The languages of cells, by their first line, and the lines of Go cells that are magics. The kernel's magics/split.go has the same rules.

/** A stretch of text, in UTF-16 code units. */
export interface Span {
  from: number;
  to: number;
}

/** A magic: its first character and name, and what follows it in its line. */
export interface Magic {
  name: Span;
  args: Span;
  /** Whether the arguments are Go. */
  go: boolean;
}

/** What a cell is written in: Go, CUDA C++, or the language of a name that files or JupyterLab's list of languages have. */
export type Kind = { lang: 'go' } | { lang: 'cuda' } | { lang: 'named'; name: string } | { lang: 'file'; name: string } | { lang: 'text' };

/** The languages of the bodies of cell magics; those of others are Go. */
const bodies: Record<string, string> = {
  bash: 'shell',
  sh: 'shell',
  html: 'html',
  javascript: 'javascript',
  js: 'javascript',
  latex: 'stex',
  markdown: 'markdown',
  svg: 'xml'
};

/** Line magics whose arguments are Go. */
const statements = new Set(['exec', 'lens', 'prof', 'time', 'timeit', 'timeit_gpu']);

const cudaFiles = /\.(cu|cuh|h|hh|hpp|hxx|c|cc|cpp|cxx|inl)$/i;

/** Returns what a cell is written in. */
export function kindOf(text: string): Kind {
  const [, name, args] = /^\s*(?:\/\/gonb:)?%%([\w!]+)[ \t]*(.*)/.exec(text) ?? [];
  if (name === undefined) {
    return { lang: 'go' };
  }
  if (name === 'cuda') {
    return { lang: 'cuda' };
  }
  if (name === 'script') {
    return { lang: 'named', name: /python/.test(args) ? 'python' : 'shell' };
  }
  if (name === 'writefile' || name === 'file') {
    const file = args.trim().split(/\s+/).pop() ?? '';
    if (/\.go$/.test(file)) {
      return { lang: 'go' };
    }
    return cudaFiles.test(file) ? { lang: 'cuda' } : { lang: 'file', name: file };
  }
  return bodies[name] === undefined ? { lang: 'go' } : { lang: 'named', name: bodies[name] };
}

/** Reports whether two cells are written in the same language. */
export function sameKind(a: Kind, b: Kind): boolean {
  return a.lang === b.lang && ('name' in a ? a.name : '') === ('name' in b ? b.name : '');
}

/** Returns the magic that begins at the first character of a line that is not a blank, or null. */
function magicAt(line: string, start: number): Magic | null {
  const [all, before, name, blank, args] = /^([ \t]*(?:\/\/gonb:)?)(%%?\w*|!)([ \t]*)(.*)$/.exec(line) ?? [];
  if (all === undefined) {
    return null;
  }
  const from = start + before.length;
  const argsFrom = from + name.length + blank.length;
  return {
    name: { from, to: from + name.length },
    args: { from: argsFrom, to: argsFrom + args.length },
    go: statements.has(name.replace(/^%+/, ''))
  };
}

/** Returns the magic in a cell's first line, or null. */
export function cellMagic(text: string): Magic | null {
  const [blank] = /^(?:[ \t]*\n)*/.exec(text)!;
  const line = text.slice(blank.length).split('\n', 1)[0];
  return /^[ \t]*(?:\/\/gonb:)?%%/.test(line) ? magicAt(line, blank.length) : null;
}

/** Returns the magics of a cell of Go: lines with % or !, where a statement may begin. */
export function magicsOf(text: string): Magic[] {
  const found: Magic[] = [];
  const first = cellMagic(text);
  let at = 0;
  if (first) {
    found.push(first);
    at = first.args.to;
  }
  const scanner = new Scanner();
  while (at < text.length) {
    let end = text.indexOf('\n', at);
    end = end < 0 ? text.length : end;
    let line = text.slice(at, end);
    const magic = scanner.mayBegin() ? magicAt(line, at) : null;
    if (magic) {
      // A backslash continues a shell command in the next line.
      while (text[magic.name.from] === '!' && /\\\s*$/.test(line) && end < text.length) {
        const next = text.indexOf('\n', end + 1);
        line = text.slice(end + 1, next < 0 ? text.length : next);
        end = next < 0 ? text.length : next;
      }
      magic.args.to = Math.max(end, magic.args.from);
      found.push(magic);
    } else {
      scanner.read(line);
    }
    at = end + 1;
  }
  return found;
}

/** Follows brackets, strings and comments of Go through the lines of a cell. */
class Scanner {
  private depth = 0;
  private open = ''; // the end of the comment or raw string that is open
  private last = ''; // the last character that is not a blank or in a comment

  /** Reports whether a statement may begin in the next line. */
  mayBegin(): boolean {
    return this.depth <= 0 && this.open === '' && !/[-+*/%&|^=<>!,.:(\[{]/.test(this.last);
  }

  /** Reads a line. */
  read(line: string): void {
    let at = 0;
    while (at < line.length) {
      at = this.open === '' ? this.token(line, at) : this.close(line, at);
    }
    if (/(\+\+|--|:|\{)\s*$/.test(line) && this.open === '' && this.depth <= 0) {
      this.last = ';';
    }
  }

  private close(line: string, at: number): number {
    const end = line.indexOf(this.open, at);
    if (end < 0) {
      return line.length;
    }
    at = end + this.open.length;
    this.open = '';
    return at;
  }

  private token(line: string, at: number): number {
    if (line.startsWith('//', at)) {
      return line.length;
    }
    if (line.startsWith('/*', at)) {
      this.open = '*/';
      return at + 2;
    }
    const [quoted] = /^("(\\.|[^"\\])*"?|'(\\.|[^'\\])*'?)/.exec(line.slice(at)) ?? [''];
    if (quoted !== '') {
      this.last = '"';
      return at + quoted.length;
    }
    const c = line[at];
    if (c === '`') {
      this.open = c;
    } else if ('([{'.includes(c)) {
      this.depth++;
    } else if (')]}'.includes(c)) {
      this.depth--;
    }
    if (!/\s/.test(c)) {
      this.last = c;
    }
    return at + 1;
  }
}
