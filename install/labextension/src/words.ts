// The colours of magics and of CUDA's words, which are over those of the syntax.

import { HighlightStyle, syntaxHighlighting, syntaxTree } from '@codemirror/language';
import { Prec, Range } from '@codemirror/state';
import { Decoration, DecorationSet, EditorView, ViewPlugin, ViewUpdate } from '@codemirror/view';
import { tags } from '@lezer/highlight';
import { cellMagic, Kind, kindOf, Magic, magicsOf } from './cells';
import { qualifiers } from './languages';

const variables = 'threadIdx|blockIdx|blockDim|gridDim|warpSize';
const functions =
  '__\\w+|atomic[A-Z]\\w*|cuda[A-Z]\\w*|tex[123]D\\w*|surf[123]D\\w*|cooperative_groups|wmma';
const types =
  'dim3|(?:u?(?:char|short|int|long|longlong)|float|double)[1-4]|half2?|__half2?|nv_bfloat162?|__nv_bfloat162?|cuda(?:Error|Stream|Event)_t|u?int(?:8|16|32|64)_t|size_t';
const words = new RegExp(`\\b(?:(${types})|(${variables}|${functions}))\\b`, 'g');

const marks = {
  magic: Decoration.mark({ class: 'gopherwarp-magic' }),
  args: Decoration.mark({ class: 'gopherwarp-args' }),
  qualifier: Decoration.mark({ class: 'gopherwarp-qualifier' }),
  type: Decoration.mark({ class: 'gopherwarp-type' }),
  builtin: Decoration.mark({ class: 'gopherwarp-builtin' })
};

const colours = EditorView.baseTheme({
  '.gopherwarp-magic, .gopherwarp-magic *': { color: 'var(--jp-mirror-editor-operator-color)', fontWeight: 'bold' },
  '.gopherwarp-args, .gopherwarp-args *': { color: 'var(--jp-mirror-editor-string-color)' },
  '.gopherwarp-qualifier, .gopherwarp-qualifier *': { color: 'var(--jp-mirror-editor-keyword-color)', fontWeight: 'bold' },
  '.gopherwarp-type, .gopherwarp-type *': { color: 'var(--jp-mirror-editor-variable-3-color)' },
  '.gopherwarp-builtin, .gopherwarp-builtin *': { color: 'var(--jp-mirror-editor-builtin-color)' }
});

// JupyterLab's style has no colours for types and preprocessor lines.
const style = HighlightStyle.define([
  { tag: tags.typeName, color: 'var(--jp-mirror-editor-variable-3-color)' },
  { tag: tags.processingInstruction, color: 'var(--jp-mirror-editor-operator-color)' }
]);

function add(found: Range<Decoration>[], mark: Decoration, from: number, to: number): void {
  if (to > from) {
    found.push(mark.range(from, to));
  }
}

function addMagic(found: Range<Decoration>[], m: Magic): void {
  add(found, marks.magic, m.name.from, m.name.to);
  if (!m.go) {
    add(found, marks.args, m.args.from, m.args.to);
  }
}

function addCUDA(found: Range<Decoration>[], view: EditorView, body: number): void {
  const tree = syntaxTree(view.state);
  const isCode = (at: number) => !/Comment|String|Char|SystemLib/.test(tree.resolveInner(at, 1).name);
  for (const range of view.visibleRanges) {
    const from = Math.max(view.state.doc.lineAt(range.from).from, body);
    const text = view.state.sliceDoc(from, range.to);
    for (const match of text.matchAll(qualifiers)) {
      const word = /^\w+/.exec(match[0])![0];
      if (isCode(from + match.index)) {
        add(found, marks.qualifier, from + match.index, from + match.index + word.length);
      }
    }
    for (const match of text.matchAll(words)) {
      if (isCode(from + match.index) && !new RegExp(`^(?:${qualifiers.source})`).test(text.slice(match.index))) {
        add(found, match[1] === undefined ? marks.builtin : marks.type, from + match.index, from + match.index + match[0].length);
      }
    }
  }
}

/** Returns the marks of a cell's words. */
function find(view: EditorView): DecorationSet {
  const text = view.state.doc.toString();
  const kind: Kind = kindOf(text);
  const found: Range<Decoration>[] = [];
  if (kind.lang === 'go') {
    magicsOf(text).forEach(m => addMagic(found, m));
  } else {
    const first = cellMagic(text);
    if (first) {
      addMagic(found, first);
    }
    if (kind.lang === 'cuda') {
      addCUDA(found, view, first ? first.args.to : 0);
    }
  }
  return Decoration.set(found, true);
}

class Words {
  decorations: DecorationSet;

  constructor(view: EditorView) {
    this.decorations = find(view);
  }

  update(update: ViewUpdate): void {
    if (update.docChanged || update.viewportChanged || syntaxTree(update.startState) !== syntaxTree(update.state)) {
      this.decorations = find(update.view);
    }
  }
}

/** Colours magics and CUDA's words. */
export const coloured = [
  // Of nested marks the one with the highest precedence is innermost.
  Prec.highest(ViewPlugin.fromClass(Words, { decorations: words => words.decorations })),
  syntaxHighlighting(style),
  colours
];
