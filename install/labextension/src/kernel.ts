// Questions to a kernel of gopherwarp that it answers also while a cell runs.

import { Kernel, KernelMessage } from '@jupyterlab/services';
import { JSONObject, JSONValue } from '@lumino/coreutils';
import { Signal } from '@lumino/signaling';

/** The target of the comm; magics/lab.go is the other end. */
const target = 'gopherwarp.lab';

/** How long an answer may take, in ms. */
const patience = 20_000;

export interface Device {
  name: string;
  product: string;
  current: boolean;
  used: number;
  total: number;
  own: number;
  percent: number;
}

/** A value for an address of gonbui's comms, or a request for one. */
export interface GonbValue {
  address: string;
  value: JSONValue;
  request: boolean;
}

export interface Answer {
  id: number;
  text?: string;
  error?: string;
  devices?: Device[];
  choices?: string[];
  marks?: Execution[];
  gonb?: GonbValue;
}

/** A line of a cell with a message. */
export interface Mark {
  line: number;
  severity: 'error' | 'warning';
  message: string;
}

/** The metadata of the reply of a cell; magics/marks.go writes it. */
export interface Execution {
  /** The cell that ran. */
  cell: string;
  /** The marks of cells, and the texts that these are about. */
  cells: Record<string, { text: string; marks: Mark[] }>;
}

/** Reports whether a kernel is one of gopherwarp. */
export async function isOurs(kernel: Kernel.IKernelConnection | null | undefined): Promise<boolean> {
  if (!kernel || kernel.isDisposed) {
    return false;
  }
  try {
    return (await kernel.info).implementation === 'gopherwarp';
  } catch {
    return false; // it has not started
  }
}

/** A connection to a kernel. */
export class Channel {
  /** Emits what the kernel says of its devices, asked or not. */
  readonly told = new Signal<this, Answer>(this);
  /** Emits values for widgets of package gonbui, and requests for such. */
  readonly posted = new Signal<this, GonbValue>(this);
  private comm: Kernel.IComm | null = null;
  private readonly waiting = new Map<number, (answer: Answer) => void>();
  private last = 0;

  private constructor(private readonly kernel: Kernel.IKernelConnection) {}

  private static readonly all = new WeakMap<Kernel.IKernelConnection, Channel>();

  /** Returns the connection to a kernel of gopherwarp. */
  static of(kernel: Kernel.IKernelConnection): Channel {
    const channel = Channel.all.get(kernel) ?? new Channel(kernel);
    Channel.all.set(kernel, channel);
    return channel;
  }

  /** Asks the kernel. The promise is rejected if there is no answer. */
  ask(op: 'status' | 'format' | 'marks', text = ''): Promise<Answer> {
    const id = ++this.last;
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.waiting.delete(id);
        reject(new Error('the kernel does not answer'));
      }, patience);
      this.waiting.set(id, answer => {
        clearTimeout(timer);
        resolve(answer);
      });
      try {
        this.open().send({ id, op, text });
      } catch (reason) {
        clearTimeout(timer);
        this.waiting.delete(id);
        reject(reason);
      }
    });
  }

  /** Sends a value of a widget of package gonbui; null is the answer to a request for one that is not there. */
  post(address: string, value: JSONValue): void {
    if (!this.kernel.isDisposed) {
      this.open().send({ id: 0, op: 'gonb', address, value });
    }
  }

  /** Returns the comm. A kernel that was started again needs a new one. */
  private open(): Kernel.IComm {
    if (this.comm && !this.comm.isDisposed) {
      return this.comm;
    }
    const comm = this.kernel.createComm(target);
    comm.onMsg = (msg: KernelMessage.ICommMsgMsg) => this.receive(msg.content.data);
    comm.open();
    this.comm = comm;
    return comm;
  }

  private receive(data: JSONObject): void {
    const answer = data as unknown as Answer;
    this.waiting.get(answer.id)?.(answer);
    this.waiting.delete(answer.id);
    if (answer.gonb) {
      this.posted.emit(answer.gonb);
    } else if (answer.text === undefined && answer.error === undefined && answer.marks === undefined) {
      this.told.emit(answer);
    }
  }
}
