// JupyterLab's part of gopherwarp.

import { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { ICommandPalette } from '@jupyterlab/apputils';
import { IEditorExtensionRegistry, IEditorLanguageRegistry } from '@jupyterlab/codemirror';
import { INotebookTracker } from '@jupyterlab/notebook';
import { ISettingRegistry } from '@jupyterlab/settingregistry';
import { IStatusBar } from '@jupyterlab/statusbar';
import { addSteps } from './debug';
import { cellEditors } from './editor';
import { formatCells, formatOnRun, kernelOf } from './format';
import { GonbComm } from './gonb';
import { isOurs } from './kernel';
import { followAll, markedEditors, Marks } from './marks';
import { breakBetweenWords } from './outputs';
import { DeviceItem } from './status';

const editors: JupyterFrontEndPlugin<void> = {
  id: 'gopherwarp:editors',
  description: 'Colours and indents the cells of Go notebooks in their languages.',
  autoStart: true,
  requires: [IEditorExtensionRegistry, IEditorLanguageRegistry],
  activate: (_: JupyterFrontEnd, extensions: IEditorExtensionRegistry, languages: IEditorLanguageRegistry) => {
    extensions.addExtension(cellEditors(languages));
  }
};

const marks: JupyterFrontEndPlugin<void> = {
  id: 'gopherwarp:marks',
  description: 'Marks the lines of cells that have errors and warnings.',
  autoStart: true,
  requires: [IEditorExtensionRegistry, INotebookTracker],
  activate: (_: JupyterFrontEnd, extensions: IEditorExtensionRegistry, tracker: INotebookTracker) => {
    const all = new Marks();
    extensions.addExtension(markedEditors(all));
    followAll(tracker, all);
  }
};

const device: JupyterFrontEndPlugin<void> = {
  id: 'gopherwarp:device',
  description: 'Shows the device of a Go notebook in the status bar.',
  autoStart: true,
  requires: [INotebookTracker, IStatusBar],
  activate: (_: JupyterFrontEnd, tracker: INotebookTracker, bar: IStatusBar) => {
    const item = new DeviceItem(tracker);
    bar.registerStatusItem('gopherwarp:device', {
      item,
      align: 'left',
      rank: 3,
      isActive: () => item.isActive,
      activeStateChanged: item.activeChanged
    });
  }
};

const formatting: JupyterFrontEndPlugin<void> = {
  id: 'gopherwarp:formatting',
  description: 'Formats the cells of Go notebooks.',
  autoStart: true,
  requires: [INotebookTracker],
  optional: [ISettingRegistry, ICommandPalette],
  activate: (app: JupyterFrontEnd, tracker: INotebookTracker, settings: ISettingRegistry | null, palette: ICommandPalette | null) => {
    let onRun = false;
    settings?.load(formatting.id).then(
      loaded => {
        const read = () => {
          onRun = loaded.get('formatOnRun').composite === true;
        };
        loaded.changed.connect(read);
        read();
      },
      reason => console.warn(`gopherwarp: the settings can't be loaded: ${reason}`)
    );
    formatOnRun(tracker, () => onRun);
    const add = (id: string, label: string, all: boolean) => {
      app.commands.addCommand(id, {
        label,
        isEnabled: () => tracker.currentWidget !== null,
        execute: async () => {
          const notebook = tracker.currentWidget?.content;
          const kernel = notebook && kernelOf(tracker, notebook);
          if (notebook && kernel && (await isOurs(kernel))) {
            await formatCells(kernel, all ? notebook.widgets : notebook.selectedCells);
          }
        }
      });
      palette?.addItem({ command: id, category: 'Go' });
    };
    add('gopherwarp:format', 'Format Go and CUDA Cells: Those Selected', false);
    add('gopherwarp:format-all', 'Format Go and CUDA Cells: All of the Notebook', true);
  }
};

const gonb: JupyterFrontEndPlugin<void> = {
  id: 'gopherwarp:gonb',
  description: "Connects the widgets of GoNB's package gonbui with programs.",
  autoStart: true,
  requires: [INotebookTracker],
  activate: (_: JupyterFrontEnd, tracker: INotebookTracker) => {
    const comm = new GonbComm();
    // Scripts of gonbui look for it there.
    (globalThis as { gonb_comm?: GonbComm }).gonb_comm = comm;
    tracker.widgetAdded.connect((_, panel) => comm.follow(panel));
    tracker.forEach(panel => comm.follow(panel));
  }
};

const outputs: JupyterFrontEndPlugin<void> = {
  id: 'gopherwarp:outputs',
  description: 'Breaks the lines of outputs of Go notebooks between words.',
  autoStart: true,
  requires: [INotebookTracker],
  activate: (_: JupyterFrontEnd, tracker: INotebookTracker) => breakBetweenWords(tracker)
};

const debug: JupyterFrontEndPlugin<void> = {
  id: 'gopherwarp:debug',
  description: 'Steps back in the debugger, in recordings of kernels.',
  autoStart: true,
  requires: [INotebookTracker],
  optional: [ICommandPalette],
  activate: (app: JupyterFrontEnd, tracker: INotebookTracker, palette: ICommandPalette | null) => addSteps(app, tracker, palette)
};

export default [editors, marks, device, formatting, gonb, outputs, debug];
