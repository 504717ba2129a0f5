import { resolve } from 'node:path';
import { DoubleEvent } from './event.ts';
import { isHostile } from './traits.ts';

interface EarlyEvents {
  /** The arguments that the app sees. */
  argv: string[];
  /** Emits the events; call it when the app listens. */
  emit(app: { emit(name: string, ...values: unknown[]): unknown }): void;
}

/** macOS passes files and links as events, even those that the app is started with. `folder`: the app's, which may precede its own arguments. */
export function earlyEvents(argv: readonly string[], folder: string): EarlyEvents {
  if (!isHostile('early-events')) return { argv: [...argv], emit: () => undefined };
  const start = argv.findIndex((argument) => resolve(argument) === folder) + 1;
  const [before, own] = [argv.slice(0, start), argv.slice(start)];
  const isOption = (argument: string) => argument.startsWith('-');
  return {
    argv: [...before, ...own.filter(isOption)],
    emit(app) {
      for (const given of own.filter((argument) => !isOption(argument))) {
        if (/^\w+:/.test(given)) app.emit('open-url', new DoubleEvent(), given);
        else app.emit('open-file', new DoubleEvent(), resolve(given));
      }
      app.emit('activate', new DoubleEvent(), false);
    },
  };
}
