// The item of the status bar that shows the device of the current Go notebook.

import { Dialog, showDialog, showErrorMessage } from '@jupyterlab/apputils';
import { INotebookTracker } from '@jupyterlab/notebook';
import { Kernel, KernelMessage } from '@jupyterlab/services';
import { Signal } from '@lumino/signaling';
import { Widget } from '@lumino/widgets';
import { Answer, Channel, Device, isOurs } from './kernel';

/** Returns a number of bytes as text. */
function bytes(n: number): string {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  for (; n >= 1024 && unit < units.length - 1; unit++) {
    n /= 1024;
  }
  return `${n < 10 && unit > 0 ? n.toFixed(1) : Math.round(n)} ${units[unit]}`;
}

/** Returns what the item says of a device. */
function short(d: Device): string {
  const memory = d.total > 0 ? `${bytes(d.used)} of ${bytes(d.total)}` : bytes(d.used);
  return [d.name, memory, ...(d.percent < 0 ? [] : [`${d.percent} %`])].join(' · ');
}

function long(d: Device): string {
  return `${d.product}: this notebook has ${bytes(d.own)}`;
}

/** The item. It is not shown for notebooks of other kernels. */
export class DeviceItem extends Widget {
  readonly activeChanged = new Signal<this, void>(this);
  private kernel: Kernel.IKernelConnection | null = null;
  private choices: string[] = [];
  private devices: Device[] = [];

  constructor(private readonly tracker: INotebookTracker) {
    super({ node: document.createElement('button') });
    this.addClass('gopherwarp-device');
    Object.assign(this.node.style, { font: 'inherit', color: 'inherit', background: 'none', border: 'none', padding: '0 6px', cursor: 'pointer' });
    this.node.addEventListener('click', () => void this.choose());
    tracker.currentChanged.connect(this.follow, this);
    tracker.widgetAdded.connect((_, panel) => panel.sessionContext.kernelChanged.connect(this.follow, this));
    tracker.widgetAdded.connect((_, panel) => panel.sessionContext.statusChanged.connect(this.onStatus, this));
    this.follow();
  }

  get isActive(): boolean {
    return this.kernel !== null;
  }

  /** Shows the kernel of the current notebook. */
  private follow(): void {
    const kernel = this.tracker.currentWidget?.sessionContext.session?.kernel ?? null;
    void isOurs(kernel).then(ours => {
      if (this.tracker.currentWidget?.sessionContext.session?.kernel === kernel || !kernel) {
        this.show_(ours ? kernel : null);
      }
    });
  }

  private show_(kernel: Kernel.IKernelConnection | null): void {
    if (kernel !== this.kernel) {
      if (this.kernel) {
        Channel.of(this.kernel).told.disconnect(this.onTold, this);
      }
      this.kernel = kernel;
      if (kernel) {
        Channel.of(kernel).told.connect(this.onTold, this);
        this.tell({ id: 0 });
        this.ask();
      }
    }
    this.activeChanged.emit();
  }

  /** A kernel that was started again has no comm and no device. */
  private onStatus(_: unknown, status: Kernel.Status): void {
    if (status === 'restarting' || status === 'autorestarting') {
      this.tell({ id: 0 });
      void this.kernel?.info.then(() => this.ask());
    }
  }

  private ask(): void {
    if (this.kernel) {
      Channel.of(this.kernel).ask('status').catch(reason => console.warn(`gopherwarp: ${reason}`));
    }
  }

  private onTold(_: Channel, answer: Answer): void {
    this.tell(answer);
  }

  private tell(answer: Answer): void {
    this.devices = answer.devices ?? [];
    this.choices = answer.choices ?? ['auto', 'sim'];
    const [first] = this.devices;
    this.node.textContent = first ? short(first) : 'no device used yet';
    this.node.title = [...this.devices.map(long), 'Click to see %gpu, or to pick another device'].join('\n');
  }

  /** Shows %gpu, and picks the device that is chosen there. */
  private async choose(): Promise<void> {
    const kernel = this.kernel;
    if (!kernel) {
      return;
    }
    const body = new Chooser(this.choices, this.devices[0]?.name ?? 'auto');
    const shown = execute(kernel, '%gpu').then(
      text => body.describe(text),
      reason => body.describe(String(reason))
    );
    const { button, value } = await showDialog({
      title: 'Device of this notebook',
      body,
      buttons: [Dialog.cancelButton({ label: 'Close' }), Dialog.okButton({ label: 'Use' })]
    });
    if (button.accept && value) {
      try {
        await execute(kernel, `%gpu ${value}`);
      } catch (reason) {
        void showErrorMessage('The device is not used', String(reason));
      }
    }
    await shown;
    this.ask();
  }
}

/** Runs a cell that is in no notebook, and returns the text that it shows. */
async function execute(kernel: Kernel.IKernelConnection, code: string): Promise<string> {
  const future = kernel.requestExecute({ code, store_history: false, stop_on_error: false });
  let text = '';
  future.onIOPub = msg => {
    if (KernelMessage.isDisplayDataMsg(msg) || KernelMessage.isExecuteResultMsg(msg)) {
      text += String(msg.content.data['text/plain'] ?? '');
    }
  };
  const { content } = await future.done;
  if (content.status === 'error') {
    throw new Error(`${content.ename}: ${content.evalue}`);
  }
  return text;
}

/** The body of the dialog. */
class Chooser extends Widget implements Dialog.IBodyWidget<string> {
  private readonly about = document.createElement('pre');
  private readonly list = document.createElement('select');

  constructor(choices: string[], current: string) {
    super();
    this.about.textContent = 'The kernel answers once the running cell has ended.';
    this.about.className = 'gopherwarp-about';
    this.list.className = 'jp-mod-styled';
    this.list.setAttribute('aria-label', 'Device');
    for (const name of choices) {
      this.list.add(new Option(name, name, false, name === current));
    }
    this.node.append(this.about, this.list);
  }

  describe(text: string): void {
    this.about.textContent = text;
  }

  getValue(): string {
    return this.list.value;
  }
}
