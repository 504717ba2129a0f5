import { EventEmitter } from 'node:events';
import type { NotificationCloseEventParams, NotificationConstructorOptions, Notification as Real } from 'electron';
import { DoubleEvent } from '#test/desktop/double/event.ts';
import { requireReady } from '#test/desktop/double/machine.ts';
import { isHostile } from '#test/desktop/double/traits.ts';
import { foreground } from '#test/desktop/double/windows/foreground.ts';

type Outcome = (notification: Notification) => void;

/** What becomes of hostile notifications: with several traits on, in turn. */
const outcomes: readonly [Parameters<typeof isHostile>[0], Outcome][] = [
  ['notifications-time-out', (notification) => notification.timeOut()],
  [
    'notifications-fail',
    (notification) => notification.emit('failed', new DoubleEvent(), 'Notifications are not allowed for this application'),
  ],
];
let turn = 0;

/** An invisible notification. */
export class Notification extends EventEmitter implements Pick<Real, 'title' | 'body' | 'show' | 'close'> {
  title: string;
  body: string;
  readonly icon: NotificationConstructorOptions['icon'];
  readonly actions: NotificationConstructorOptions['actions'];

  constructor({ title = '', body = '', icon, actions }: NotificationConstructorOptions = {}) {
    super();
    requireReady('Cannot create Notification before app is ready');
    this.title = title;
    this.body = body;
    this.icon = icon;
    this.actions = actions;
    this.on('click', foreground.come);
  }

  static isSupported() {
    return !isHostile('notifications-unsupported');
  }

  /** The system responds later. */
  show() {
    setImmediate(() => this.#outcome()(this));
  }

  close() {
    this.emit('close', new DoubleEvent());
  }

  #outcome(): Outcome {
    const hostile = outcomes.filter(([trait]) => isHostile(trait));
    const [, outcome] = hostile[turn % hostile.length] ?? [undefined, (notification: Notification) => notification.appear()];
    turn += 1;
    return outcome;
  }

  appear() {
    this.emit('show', new DoubleEvent());
  }

  /** It moves to the list of notifications, where it can still be clicked. */
  timeOut() {
    this.appear();
    this.emit('close', Object.assign(new DoubleEvent(), { reason: 'timedOut' } satisfies NotificationCloseEventParams));
  }
}
