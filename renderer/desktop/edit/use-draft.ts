import { useEffect, useState } from 'react';
import type { DesktopBridge } from '#api/desktop/calls.ts';
import type { Draft } from '#api/desktop/drafts.ts';
import { useNotifyError } from '#renderer/components/notices/notice.tsx';
import { NotEditableError, openSource, type Source } from '#renderer/editor/picture/source.ts';

/** Milliseconds between two copies of what is being drawn: a crash loses less than a second. */
const KEEP_INTERVAL = 250;

/** The draft that the window shows; null: none. Undefined while it loads. */
export function useDraft(bridge: DesktopBridge): Draft | null | undefined {
  const [draft, setDraft] = useState<Draft | null>();
  const notifyError = useNotifyError();
  useEffect(() => {
    let turn = 0;
    const load = () => {
      turn += 1;
      const mine = turn;
      bridge.getDraft().then(
        (next) => mine === turn && setDraft(next),
        (error: unknown) => notifyError(error),
      );
    };
    const end = bridge.onDraftChanged(load);
    load();
    return () => {
      turn = -1;
      end();
    };
  }, [bridge, notifyError]);
  return draft;
}

/** The picture of a draft, read once; or why it can't be edited. */
export function useDraftSource({ name, bytes }: Draft): { source?: Source; error?: unknown } {
  const [state, setState] = useState<{ source?: Source; error?: unknown }>({});
  const [first] = useState(bytes);
  useEffect(() => {
    if (!first) return;
    let isOver = false;
    let loaded: Source | undefined;
    const reading = /\.svg$/i.test(name)
      ? Promise.reject(new NotEditableError('svg'))
      : openSource(new Blob([first as Uint8Array<ArrayBuffer>]));
    reading.then(
      (source) => {
        if (isOver) return source.close();
        loaded = source;
        setState({ source });
      },
      (error: unknown) => !isOver && setState({ error }),
    );
    return () => {
      isOver = true;
      loaded?.close();
    };
  }, [first, name]);
  return state;
}

/**
 * Keeps what is drawn on a draft, or how a video is cut, in the journal: at once, and while it changes all the time, a few times a second.
 * `write` makes a text of it; null: nothing.
 */
export function useKeptMarks<T>(bridge: DesktopBridge, id: string, drawing: T, write: (drawing: T) => string | null): { failed: boolean } {
  const [failed, setFailed] = useState(false);
  const [keeper] = useState(() => new Keeper<T>((marks) => bridge.keepMarks(id, write(marks)), setFailed));
  useEffect(() => keeper.keep(drawing), [keeper, drawing]);
  useEffect(() => {
    addEventListener('pagehide', keeper.flush);
    return () => {
      removeEventListener('pagehide', keeper.flush);
      keeper.flush();
    };
  }, [keeper]);
  return { failed };
}

class Keeper<T> {
  readonly #send: (drawing: T) => Promise<unknown>;
  readonly #report: (failed: boolean) => void;
  #kept: T | undefined;
  #latest: T | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(send: (drawing: T) => Promise<unknown>, report: (failed: boolean) => void) {
    this.#send = send;
    this.#report = report;
  }

  /** What it is called with first was kept by an earlier run. */
  keep(drawing: T) {
    if (this.#latest === undefined) this.#kept = drawing;
    this.#latest = drawing;
    if (this.#timer === undefined) this.flush();
  }

  flush = () => {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const drawing = this.#latest;
    if (drawing === undefined || drawing === this.#kept) return;
    this.#kept = drawing;
    this.#timer = setTimeout(this.flush, KEEP_INTERVAL);
    this.#send(drawing).then(
      () => this.#report(false),
      () => {
        this.#kept = undefined; // the next flush tries again
        this.#report(true);
      },
    );
  };
}
