// Steps back in the debugger, which JupyterLab has no buttons for: recordings of kernels can be stepped through in both directions.

import { JupyterFrontEnd } from '@jupyterlab/application';
import { CommandToolbarButton, ICommandPalette, Toolbar } from '@jupyterlab/apputils';
import { INotebookTracker } from '@jupyterlab/notebook';
import { Kernel, KernelMessage } from '@jupyterlab/services';
import { isOurs } from './kernel';

/** The requests, by command. */
const steps = [
  { id: 'gopherwarp:step-back', request: 'stepBack', label: 'Step Back', mark: '◂', keys: 'Alt F10' },
  { id: 'gopherwarp:reverse-continue', request: 'reverseContinue', label: 'Continue Backwards', mark: '◂◂', keys: 'Alt F9' }
];

/** The thread of a recording; the kernel has one at a time. */
const thread = 1;

/** A kernel as services has it, which declares its requests for debuggers apart. */
type Debugged = Kernel.IKernelConnection & { requestDebug(content: KernelMessage.IDebugRequestMsg['content']): Kernel.IControlFuture };

/** Adds commands that step back, and buttons for them beside those of the debugger. */
export function addSteps(app: JupyterFrontEnd, tracker: INotebookTracker, palette: ICommandPalette | null): void {
  let ours = false;
  let sent = 0;
  const kernel = () => tracker.currentWidget?.sessionContext.session?.kernel ?? null;
  for (const step of steps) {
    app.commands.addCommand(step.id, {
      label: args => (args.toolbar ? step.mark : step.label),
      caption: `${step.label} (kernels on the simulator)`,
      isEnabled: () => ours,
      isVisible: () => ours,
      execute: async () => {
        const current = kernel();
        if (current) {
          const request = { type: 'request' as const, seq: ++sent, command: step.request, arguments: { threadId: thread } };
          await (current as Debugged).requestDebug(request).done;
        }
      }
    });
    app.commands.addKeyBinding({ command: step.id, keys: [step.keys], selector: 'body' });
    palette?.addItem({ command: step.id, category: 'Debugger' });
  }
  const look = async () => {
    const current = kernel();
    const is = await isOurs(current);
    if (current === kernel() && is !== ours) {
      ours = is;
      steps.forEach(step => app.commands.notifyCommandChanged(step.id));
    }
  };
  tracker.currentChanged.connect((_, panel) => {
    void look();
    panel?.sessionContext.kernelChanged.connect(() => void look());
  });
  void app.restored.then(() => {
    const toolbar = debuggerToolbar(app);
    steps.forEach(step => {
      toolbar?.addItem(step.id, new CommandToolbarButton({ commands: app.commands, id: step.id, args: { toolbar: true } }));
    });
  });
}

/** The toolbar with the debugger's steps, or null if there is none. */
function debuggerToolbar(app: JupyterFrontEnd): Toolbar | null {
  for (const widget of app.shell.widgets('right')) {
    const found = (widget as { callstack?: { toolbar?: Toolbar } }).callstack?.toolbar;
    if (found) {
      return found;
    }
  }
  return null;
}
