// Marks beside the lines of cells: errors of compilers, warnings of %vet and findings of check mode.

import { Compartment, Extension, RangeSet, RangeSetBuilder } from '@codemirror/state';
import { EditorView, gutter, GutterMarker, ViewPlugin, ViewUpdate } from '@codemirror/view';
import { CodeEditor } from '@jupyterlab/codeeditor';
import { EditorExtensionRegistry, IEditorExtensionFactory } from '@jupyterlab/codemirror';
import { INotebookModel, INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { Kernel, Session } from '@jupyterlab/services';
import { Signal } from '@lumino/signaling';
import { Channel, Execution, isOurs, Mark } from './kernel';
import { offsetIn, sameInk } from './text';

/** Marks that a cell's execution made in a text. */
interface Marked {
  text: string;
  marks: Mark[];
  by: string;
}

/** The marks of all cells. */
export class Marks {
  readonly changed = new Signal<this, CodeEditor.IModel>(this);
  private readonly known = new WeakMap<CodeEditor.IModel, Marked[]>();

  /** Returns the lines of a text that have marks, from 1. A text that differs from what was run in more than blanks has none. */
  of(model: CodeEditor.IModel, text: string): Map<number, Mark[]> {
    const lines = new Map<number, Mark[]>();
    for (const { text: ran, marks } of this.known.get(model) ?? []) {
      if (!sameInk(ran, text)) {
        continue;
      }
      for (const mark of marks) {
        const start = ran.split('\n').slice(0, mark.line - 1).join('\n').length;
        const line = ran === text ? mark.line : text.slice(0, offsetIn(text, ran, start)).split('\n').length;
        lines.set(line, [...(lines.get(line) ?? []), mark]);
      }
    }
    return lines;
  }

  /** Follows the kernel of a notebook. */
  follow(panel: NotebookPanel): void {
    const connect = (session: Session.ISessionConnection | null) => {
      session?.anyMessage.connect((_, args) => this.receive(panel.content.model, args));
      session?.statusChanged.connect((_, status) => {
        if (status === 'restarting' || status === 'autorestarting') {
          this.forget(panel.content.model);
        }
      });
    };
    panel.sessionContext.sessionChanged.connect((_, { newValue }) => connect(newValue));
    connect(panel.sessionContext.session);
    panel.sessionContext.kernelChanged.connect((_, { newValue }) => void this.recall(panel, newValue));
    void this.recall(panel, panel.sessionContext.session?.kernel ?? null);
  }

  /** Shows the marks of cells that ran before the page was loaded. */
  private async recall(panel: NotebookPanel, kernel: Kernel.IKernelConnection | null): Promise<void> {
    if (!kernel || !(await isOurs(kernel))) {
      return;
    }
    try {
      await panel.context.ready;
      const { marks } = await Channel.of(kernel).ask('marks');
      if (panel.content.model) {
        marks?.forEach(execution => this.replied(panel.content.model!, execution));
      }
    } catch {
      // A kernel that has just ended has no marks.
    }
  }

  private receive(notebook: INotebookModel | null, { msg, direction }: Kernel.IAnyMessageArgs): void {
    const execution = msg.metadata?.gopherwarp as unknown as Execution | undefined;
    if (direction === 'recv' && msg.header.msg_type === 'execute_reply' && notebook && execution?.cells) {
      this.replied(notebook, execution);
    }
  }

  private replied(notebook: INotebookModel, { cell, cells }: Execution): void {
    for (const model of notebook.cells) {
      const before = this.known.get(model) ?? [];
      const after = model.id === cell ? [] : before.filter(m => m.by !== cell);
      if (cells[model.id]) {
        after.push({ ...cells[model.id], by: cell });
      }
      this.set(model, before, after);
    }
  }

  private forget(notebook: INotebookModel | null): void {
    for (const model of notebook?.cells ?? []) {
      this.set(model, this.known.get(model) ?? [], []);
    }
  }

  private set(model: CodeEditor.IModel, before: Marked[], after: Marked[]): void {
    if (before.length > 0 || after.length > 0) {
      this.known.set(model, after);
      this.changed.emit(model);
    }
  }
}

/** The sign of the marks of a line. */
class Sign extends GutterMarker {
  private readonly severity: string;
  private readonly message: string;

  constructor(marks: Mark[]) {
    super();
    this.severity = marks.some(m => m.severity === 'error') ? 'error' : 'warning';
    this.message = marks.map(m => m.message).join('\n');
  }

  override eq(other: Sign): boolean {
    return this.severity === other.severity && this.message === other.message;
  }

  override toDOM(): Node {
    const node = document.createElement('span');
    node.className = `gopherwarp-mark gopherwarp-${this.severity}`;
    node.textContent = this.severity === 'error' ? '●' : '▲';
    node.title = this.message;
    node.setAttribute('role', 'img');
    node.setAttribute('aria-label', `${this.severity}: ${this.message}`);
    return node;
  }
}

const colours = EditorView.baseTheme({
  '.gopherwarp-marks .cm-gutterElement': { padding: '0 4px', cursor: 'help' },
  '.gopherwarp-error': { color: '#b00020' },
  '.gopherwarp-warning': { color: '#8a5a00' },
  "[data-jp-theme-light='false'] & .gopherwarp-error": { color: '#ff8a80' },
  "[data-jp-theme-light='false'] & .gopherwarp-warning": { color: '#ffb74d' }
});

/** Returns the extension of one editor. */
function marked(model: CodeEditor.IModel, marks: Marks): Extension {
  const column = new Compartment();

  class Signs {
    signs: RangeSet<GutterMarker> = RangeSet.empty;
    private shown = false;

    constructor(private readonly view: EditorView) {
      marks.changed.connect(this.onChanged, this);
      this.place();
    }

    update(update: ViewUpdate): void {
      if (update.docChanged) {
        this.place();
      }
    }

    destroy(): void {
      marks.changed.disconnect(this.onChanged, this);
    }

    private onChanged(_: Marks, changed: CodeEditor.IModel): void {
      if (changed === model) {
        this.place();
        this.view.dispatch({}); // the column asks for the signs again
      }
    }

    private place(): void {
      const doc = this.view.state.doc;
      const lines = marks.of(model, doc.toString());
      const builder = new RangeSetBuilder<GutterMarker>();
      for (const line of [...lines.keys()].sort((a, b) => a - b)) {
        if (line <= doc.lines) {
          const { from } = doc.line(line);
          builder.add(from, from, new Sign(lines.get(line)!));
        }
      }
      this.signs = builder.finish();
      if (this.shown !== lines.size > 0) {
        this.shown = !this.shown;
        // A change of the editor must not be a part of the current update.
        queueMicrotask(() => this.view.dispatch({ effects: column.reconfigure(this.shown ? shown : []) }));
      }
    }
  }

  const plugin = ViewPlugin.fromClass(Signs);
  const shown = gutter({ class: 'gopherwarp-marks', markers: view => view.plugin(plugin)?.signs ?? RangeSet.empty });
  return [column.of([]), plugin, colours];
}

/** Returns the factory of the editors' extension. */
export function markedEditors(marks: Marks): IEditorExtensionFactory {
  return {
    name: 'gopherwarp:marks',
    factory: ({ model }) =>
      (model as { type?: string }).type === 'code' ? EditorExtensionRegistry.createImmutableExtension(marked(model, marks)) : null
  };
}

/** Shows marks in the notebooks that are open, and in those that will be. */
export function followAll(tracker: INotebookTracker, marks: Marks): void {
  tracker.widgetAdded.connect((_, panel) => marks.follow(panel));
  tracker.forEach(panel => marks.follow(panel));
}
