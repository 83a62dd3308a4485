// Where the lines of outputs are broken.

import { INotebookTracker, NotebookPanel } from '@jupyterlab/notebook';
import { isOurs } from './kernel';

// JupyterLab breaks lines of text that are too long in the middle of a word.
const style = `
.gopherwarp-notebook .jp-RenderedText pre {
  word-break: normal;
  overflow-wrap: anywhere;
}`;

/** Breaks the lines of outputs between words, in the notebooks of our kernel that are open, and in those that will be. */
export function breakBetweenWords(tracker: INotebookTracker): void {
  const element = document.createElement('style');
  element.textContent = style;
  document.head.append(element);
  const follow = (panel: NotebookPanel) => {
    const look = async () => {
      const ours = await isOurs(panel.sessionContext.session?.kernel);
      if (!panel.isDisposed) {
        panel.toggleClass('gopherwarp-notebook', ours);
      }
    };
    panel.sessionContext.kernelChanged.connect(() => void look());
    void look();
  };
  tracker.widgetAdded.connect((_, panel) => follow(panel));
  tracker.forEach(follow);
}
