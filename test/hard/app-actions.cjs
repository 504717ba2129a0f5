// Loaded into the app with `-r`, after the recorder: carries out what a test sends.
const { app, clipboard, ClipboardItem } = require('electron');

const press = (label) => globalThis.__recorder.menu?.items.find((item) => item.label.startsWith(label))?.click();

const ACTIONS = {
  /** As a later start hands files over. */
  upload: ({ files }) => app.emit('second-instance', {}, [process.execPath, app.getAppPath(), ...files], process.cwd()),
  async clipboard({ base64 }) {
    const blob = new Blob([Buffer.from(base64, 'base64')], { type: 'image/png' });
    await clipboard.write([new ClipboardItem({ 'image/png': blob })]);
    press('Upload clipboard');
  },
  capture: () => press('Capture'),
  quit: () => app.quit(),
};

process.on('message', (message) => void ACTIONS[message.action](message));
