// JupyterLab's part of gopherwarp.

import { JupyterFrontEnd, JupyterFrontEndPlugin } from '@jupyterlab/application';
import { IEditorExtensionRegistry, IEditorLanguageRegistry } from '@jupyterlab/codemirror';
import { cellEditors } from './editor';

const editors: JupyterFrontEndPlugin<void> = {
  id: 'gopherwarp:editors',
  description: 'Colours and indents the cells of Go notebooks in their languages.',
  autoStart: true,
  requires: [IEditorExtensionRegistry, IEditorLanguageRegistry],
  activate: (_: JupyterFrontEnd, extensions: IEditorExtensionRegistry, languages: IEditorLanguageRegistry) => {
    extensions.addExtension(cellEditors(languages));
  }
};

export default [editors];
