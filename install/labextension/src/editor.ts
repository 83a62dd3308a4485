// The editors of cells of Go notebooks.

import { indentOnInput, indentUnit, LanguageSupport } from '@codemirror/language';
import { Compartment, EditorState, Extension, Prec, Transaction } from '@codemirror/state';
import { EditorView, ViewPlugin, ViewUpdate } from '@codemirror/view';
import { CodeEditor } from '@jupyterlab/codeeditor';
import { EditorExtensionRegistry, IEditorExtensionFactory, IEditorLanguageRegistry } from '@jupyterlab/codemirror';
import { Kind, kindOf, sameKind } from './cells';
import { cudaCell, goCell } from './languages';
import { coloured } from './words';

/** The MIME type of the code cells of Go's kernels. */
const goType = 'text/x-go';

/** Returns the editor's extension of a language that is there, or null for one that must be loaded. */
function ready(kind: Kind): Extension | null {
  switch (kind.lang) {
    case 'go':
      return [indentUnit.of('\t'), indentOnInput(), goCell];
    case 'cuda':
      return [indentUnit.of('\t'), indentOnInput(), cudaCell];
    case 'text':
      return [];
    default:
      return null;
  }
}

/** Returns the language of JupyterLab's list, or null. */
async function load(languages: IEditorLanguageRegistry, kind: Kind): Promise<LanguageSupport | null> {
  const found = kind.lang === 'file' ? languages.findByFileName(kind.name) : kind.lang === 'named' ? languages.findByName(kind.name) : null;
  return found ? ((await languages.getLanguage(found.name))?.support ?? null) : null;
}

/** Returns the extension of one editor. */
function cellEditor(model: CodeEditor.IModel, languages: IEditorLanguageRegistry): Extension {
  const language = new Compartment();
  const isGo = () => model.mimeType === goType;
  const configured = (text: string): Extension => (isGo() ? [coloured, ready(kindOf(text)) ?? goCell] : []);

  class Follower {
    private kind: Kind;

    constructor(private readonly view: EditorView) {
      this.kind = kindOf(view.state.doc.toString());
      model.mimeTypeChanged.connect(this.restart, this);
      this.restart();
    }

    update(update: ViewUpdate): void {
      if (!update.docChanged) {
        return;
      }
      const kind = kindOf(update.state.doc.toString());
      if (!sameKind(kind, this.kind)) {
        this.kind = kind;
        this.load();
      }
    }

    destroy(): void {
      model.mimeTypeChanged.disconnect(this.restart, this);
    }

    /** Configures the editor once the current update is done, which a change of it must not be a part of. */
    private restart(): void {
      queueMicrotask(() => {
        this.view.dispatch({ effects: language.reconfigure(configured(this.view.state.doc.toString())) });
        this.load();
      });
    }

    private load(): void {
      const kind = this.kind;
      if (!isGo() || ready(kind) !== null) {
        return;
      }
      load(languages, kind).then(
        support => {
          if (sameKind(kind, this.kind)) {
            this.view.dispatch({ effects: language.reconfigure([coloured, support ?? []]) });
          }
        },
        reason => console.warn(`gopherwarp: the language of a cell can't be loaded: ${reason}`)
      );
    }
  }

  const change = (tr: Transaction) => {
    if (!tr.docChanged || !isGo()) {
      return null;
    }
    const text = tr.newDoc.toString();
    return sameKind(kindOf(tr.startState.doc.toString()), kindOf(text)) ? null : { effects: language.reconfigure(configured(text)) };
  };
  // The language of the notebook, which JupyterLab sets, has a lower precedence.
  return [Prec.high(language.of(configured(model.sharedModel.getSource()))), EditorState.transactionExtender.of(change), ViewPlugin.fromClass(Follower)];
}

/** Returns the factory of the editors' extension. */
export function cellEditors(languages: IEditorLanguageRegistry): IEditorExtensionFactory {
  return {
    name: 'gopherwarp:cells',
    factory: ({ model }) =>
      (model as { type?: string }).type === 'code' ? EditorExtensionRegistry.createImmutableExtension(cellEditor(model, languages)) : null
  };
}
