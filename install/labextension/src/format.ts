// Formatting of cells by the kernel: gofmt and clang-format.

import { showErrorMessage } from '@jupyterlab/apputils';
import { Cell, CodeCell } from '@jupyterlab/cells';
import { INotebookTracker, Notebook, NotebookActions } from '@jupyterlab/notebook';
import { Kernel } from '@jupyterlab/services';
import { Channel, isOurs } from './kernel';
import { offsetIn, sameInk } from './text';

/** Formats a cell, unless it is changed before the kernel has answered. */
async function format(kernel: Kernel.IKernelConnection, cell: CodeCell): Promise<void> {
  const shared = cell.model.sharedModel;
  const before = shared.getSource();
  if (before.trim() === '') {
    return;
  }
  const { text: after, error } = await Channel.of(kernel).ask('format', before);
  if (error !== undefined) {
    throw new Error(error);
  }
  if (after === undefined || after === before || cell.isDisposed || shared.getSource() !== before) {
    return;
  }
  const editor = cell.editor;
  const cursor = editor?.getOffsetAt(editor.getCursorPosition());
  let from = 0;
  while (from < before.length && before[from] === after[from]) {
    from++;
  }
  let end = 0;
  while (end < Math.min(before.length, after.length) - from && before[before.length - 1 - end] === after[after.length - 1 - end]) {
    end++;
  }
  shared.updateSource(from, before.length - end, after.slice(from, after.length - end));
  if (editor && cursor !== undefined && sameInk(before, after)) {
    editor.setCursorPosition(editor.getPositionAt(offsetIn(after, before, cursor))!);
  }
}

/** Formats cells. Those that cannot be formatted stay, and are shown in one message. */
export async function formatCells(kernel: Kernel.IKernelConnection, cells: readonly Cell[]): Promise<void> {
  const problems: string[] = [];
  for (const cell of cells) {
    if (cell instanceof CodeCell) {
      await format(kernel, cell).catch(reason => problems.push(reason instanceof Error ? reason.message : String(reason)));
    }
  }
  if (problems.length > 0) {
    void showErrorMessage('Not formatted', problems.join('\n\n'));
  }
}

/** Returns the kernel of a notebook. */
export function kernelOf(tracker: INotebookTracker, notebook: Notebook): Kernel.IKernelConnection | null {
  return tracker.find(panel => panel.content === notebook)?.sessionContext.session?.kernel ?? null;
}

/** Formats each cell that runs, while isOn. */
export function formatOnRun(tracker: INotebookTracker, isOn: () => boolean): void {
  NotebookActions.executionScheduled.connect((_, { notebook, cell }) => {
    const kernel = kernelOf(tracker, notebook);
    if (!isOn() || !(cell instanceof CodeCell) || !kernel) {
      return;
    }
    void isOurs(kernel).then(ours => {
      if (ours) {
        // What is wrong with the cell, its execution says.
        format(kernel, cell).catch(() => undefined);
      }
    });
  });
}
