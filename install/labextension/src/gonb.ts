// The object gonb_comm of scripts that GoNB's package gonbui puts into notebooks: values by address, to and from programs.

import { NotebookPanel } from '@jupyterlab/notebook';
import { Kernel } from '@jupyterlab/services';
import { JSONValue } from '@lumino/coreutils';
import { Channel, GonbValue, isOurs } from './kernel';

type Callback = (address: string, value: JSONValue) => void;

/** Connects scripts of all notebooks. Addresses are unique, so each message goes to all kernels, and the one that knows the address takes it. */
export class GonbComm {
  private readonly channels = new Set<Channel>();
  private readonly subscribers = new Map<symbol, { address: string; callback: Callback }>();
  private readonly variables = new Map<string, SyncedVariable>();

  /** Follows the kernel of a notebook. */
  follow(panel: NotebookPanel): void {
    let last: Channel | null = null;
    const connect = (kernel: Kernel.IKernelConnection | null | undefined) => {
      void isOurs(kernel).then(ours => {
        if (!ours || !kernel) {
          return;
        }
        if (last && last !== Channel.of(kernel)) {
          this.drop(last);
        }
        last = Channel.of(kernel);
        if (!this.channels.has(last)) {
          this.channels.add(last);
          last.posted.connect(this.receive, this);
        }
        // The kernel must know that there is someone to send to.
        last.ask('status').catch(() => undefined);
      });
    };
    panel.sessionContext.kernelChanged.connect((_, { newValue }) => connect(newValue));
    panel.sessionContext.statusChanged.connect((_, status) => {
      if (status === 'restarting' || status === 'autorestarting') {
        connect(panel.sessionContext.session?.kernel);
      }
    });
    panel.disposed.connect(() => {
      if (last) {
        this.drop(last);
      }
    });
    connect(panel.sessionContext.session?.kernel);
  }

  private drop(channel: Channel): void {
    this.channels.delete(channel);
    channel.posted.disconnect(this.receive, this);
  }

  private receive(from: Channel, { address, value, request }: GonbValue): void {
    if (request) {
      from.post(address, this.variables.get(address)?.get() ?? null);
      return;
    }
    for (const { address: wanted, callback } of [...this.subscribers.values()]) {
      if (wanted === address) {
        callback(address, value);
      }
    }
  }

  /** Sends a value to programs. */
  send(address: string, value: JSONValue): void {
    for (const channel of this.channels) {
      channel.post(address, value);
    }
  }

  /** Calls a function with the values that programs send to an address, until the id that it returns is passed to unsubscribe. */
  subscribe(address: string, callback: Callback): symbol {
    const id = Symbol(address);
    this.subscribers.set(id, { address, callback });
    return id;
  }

  unsubscribe(id: symbol): void {
    this.subscribers.delete(id);
  }

  /** Returns the variable of an address, with a value that programs are told. */
  newSyncedVariable(address: string, value: JSONValue): SyncedVariable {
    const variable = this.variables.get(address) ?? new SyncedVariable(this, address);
    this.variables.set(address, variable);
    variable.set(value);
    return variable;
  }

  /** Scripts need not call it: the channels are those of the notebooks. */
  close(): void {
    this.subscribers.clear();
    this.variables.clear();
  }
}

/** A value that scripts and programs share. */
class SyncedVariable {
  private value: JSONValue = null;
  private readonly callbacks = new Map<symbol, (value: JSONValue) => void>();

  constructor(
    private readonly comm: GonbComm,
    private readonly address: string
  ) {
    comm.subscribe(address, (_, value) => this.take(value));
  }

  get(): JSONValue {
    return this.value;
  }

  set(value: JSONValue): void {
    if (this.take(value)) {
      this.comm.send(this.address, value);
    }
  }

  subscribe(callback: (value: JSONValue) => void): symbol {
    const id = Symbol(this.address);
    this.callbacks.set(id, callback);
    return id;
  }

  unsubscribe(id: symbol): void {
    this.callbacks.delete(id);
  }

  /** Sets the value, and reports whether it has changed. */
  private take(value: JSONValue): boolean {
    if (value === this.value) {
      return false;
    }
    this.value = value;
    for (const callback of [...this.callbacks.values()]) {
      callback(value);
    }
    return true;
  }
}
