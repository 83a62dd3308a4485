// Go with magics, and C++ with CUDA's words, for CodeMirror.

import { cppLanguage } from '@codemirror/lang-cpp';
import { goLanguage } from '@codemirror/lang-go';
import { Language, LanguageSupport, LRLanguage } from '@codemirror/language';
import { Input, Parser, PartialParse, TreeFragment } from '@lezer/common';
import { cellMagic, magicsOf, Span } from './cells';

/** Matches the words that CUDA adds to the declarations of C++. */
export const qualifiers =
  /\b__(?:global|device|host|shared|constant|managed|restrict|forceinline|noinline|grid_constant|tile)__\b|\b__(?:launch_bounds|cluster_dims|block_size)__[ \t]*\([^()\n]*\)/g;

/** Parses a text in which there are stretches of something else, as if these were blanks. */
class ParserWithGaps extends Parser {
  constructor(
    private readonly inner: Parser,
    private readonly gaps: (text: string) => Span[]
  ) {
    super();
  }

  override createParse(input: Input, fragments: readonly TreeFragment[], ranges: readonly Span[]): PartialParse {
    const text = input.read(0, input.length);
    const parts: string[] = [];
    let at = 0;
    for (const gap of this.gaps(text)) {
      const from = Math.max(at, gap.from);
      parts.push(text.slice(at, from), text.slice(from, gap.to).replace(/[^\n]/g, ' '));
      at = Math.max(from, gap.to);
    }
    return this.inner.createParse(new Text(parts.join('') + text.slice(at)), fragments, ranges);
  }
}

class Text implements Input {
  readonly lineChunks = false;

  constructor(private readonly text: string) {}

  get length(): number {
    return this.text.length;
  }

  chunk(from: number): string {
    return this.text.slice(from);
  }

  read(from: number, to: number): string {
    return this.text.slice(from, to);
  }
}

/** Returns the parts of a cell of Go that are not Go. */
function goGaps(text: string): Span[] {
  return magicsOf(text).map(m => ({ from: m.name.from, to: m.go ? m.name.to : m.args.to }));
}

/** Returns the parts of a cell of CUDA that are not C++. */
function cudaGaps(text: string): Span[] {
  const first = cellMagic(text);
  const gaps = first ? [{ from: first.name.from, to: first.args.to }] : [];
  for (const match of text.matchAll(qualifiers)) {
    gaps.push({ from: match.index, to: match.index + match[0].length });
  }
  return gaps;
}

function withGaps(language: LRLanguage, gaps: (text: string) => Span[], name: string): LanguageSupport {
  return new LanguageSupport(new Language(language.data, new ParserWithGaps(language.parser, gaps), [], name));
}

export const goCell = withGaps(goLanguage, goGaps, 'go with magics');
export const cudaCell = withGaps(cppLanguage, cudaGaps, 'cuda');
