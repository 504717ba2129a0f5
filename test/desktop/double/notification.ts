import { EventEmitter } from 'node:events';
import type { NotificationConstructorOptions, Notification as Real } from 'electron';

/** An invisible notification. */
export class Notification extends EventEmitter implements Pick<Real, 'title' | 'body' | 'show' | 'close'> {
  title: string;
  body: string;
  readonly icon: NotificationConstructorOptions['icon'];

  constructor({ title = '', body = '', icon }: NotificationConstructorOptions = {}) {
    super();
    this.title = title;
    this.body = body;
    this.icon = icon;
  }

  static isSupported() {
    return true;
  }

  show() {
    this.emit('show', {});
  }

  close() {
    this.emit('close', {});
  }
}
