import type { Drawing } from './drawing.ts';

/** A drawing with the steps that led to it, and those that were undone. */
export interface History {
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
