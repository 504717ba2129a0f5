/** An event whose default can be prevented, as Electron hands to listeners. */
export class DoubleEvent {
  defaultPrevented = false;
  preventDefault() {
    this.defaultPrevented = true;
  }
}
