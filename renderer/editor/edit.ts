import { useSyncExternalStore } from 'react';
import { type Drawing, UNCHANGED } from '#renderer/editor/marks/drawing.ts';

/**
 * The edit of one picture: its drawing, which is plain data, and the steps that led to it. Its only owner: pages show it and change it here. An edit
 * begins where another one was left if it is given that one's drawing.
 */
export class Edit {
  #history: History;
  #pending: Drawing | undefined;
  readonly #listeners = new Set<() => void>();

  constructor(drawing: Drawing = UNCHANGED) {
    this.#history = historyOf(drawing);
  }

  /** The drawing as it would be saved, with the text that is being written and the crop that is being chosen. */
  get drawing(): Drawing {
    return this.#pending ?? this.#history.present;
  }

  get history(): History {
    return this.#history;
  }

  /** Adds a step, undoes or redoes one. */
  dispatch(action: HistoryAction): void {
    const next = historyReducer(this.#history, action);
    if (next === this.#history) return;
    this.#history = next;
    this.#announce();
  }

  /** Sets the drawing with what isn't a step yet; undefined when there is no such thing. */
  setPending(drawing: Drawing | undefined): void {
    if (drawing === this.#pending) return;
    this.#pending = drawing;
    this.#announce();
  }

  /** Calls `listener` after each change. Returns a function that ends it. */
  subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => {
      this.#listeners.delete(listener);
    };
  };

  #announce() {
    for (const listener of this.#listeners) listener();
  }
}

/** The drawing of an edit as it would be saved. */
export const useDrawing = (edit: Edit): Drawing => useSyncExternalStore(edit.subscribe, () => edit.drawing);

export const useHistory = (edit: Edit): History => useSyncExternalStore(edit.subscribe, () => edit.history);

/** A drawing with the steps that led to it, and those that were undone. */
interface History {
  readonly past: readonly Drawing[];
  readonly present: Drawing;
  readonly future: readonly Drawing[];
  /** Steps in a row with the same name, such as moving by an arrow key, are undone together. */
  readonly step: string | undefined;
}

export const historyOf = (present: Drawing): History => ({ past: [], present, future: [], step: undefined });

export type HistoryAction =
  | { type: 'change'; change: (drawing: Drawing) => Drawing; step?: string | undefined }
  | { type: 'undo' }
  | { type: 'redo' };

export function historyReducer(history: History, action: HistoryAction): History {
  const { past, present, future } = history;
  if (action.type === 'undo') {
    const before = past.at(-1);
    return before ? { past: past.slice(0, -1), present: before, future: [present, ...future], step: undefined } : history;
  }
  if (action.type === 'redo') {
    const [after, ...rest] = future;
    return after ? { past: [...past, present], present: after, future: rest, step: undefined } : history;
  }
  const changed = action.change(present);
  if (changed === present) return history;
  const joins = action.step !== undefined && action.step === history.step;
  return { past: joins ? past : [...past, present], present: changed, future: [], step: action.step };
}
