import type { AfterCapture, Preferences } from '#api/desktop/preferences.ts';
import type { DeliveryOptions, Origin } from '#main/journal/batches.ts';
import type { NewItem } from '#main/journal/item.ts';
import type { Delivered, Uploader } from './uploader.ts';

/** What brings pictures that the user may want to look at before they are uploaded. */
export type Trigger = 'capture' | 'clipboard' | 'drop' | 'recording';
const PREFERENCES = {
  capture: 'afterCapture',
  clipboard: 'afterClipboard',
  drop: 'afterDrop',
  recording: 'afterRecording',
} as const satisfies Record<Trigger, keyof Preferences>;

/** What the user gets by holding the key that inverts the preference. */
const INVERSE: Record<AfterCapture, AfterCapture> = { upload: 'edit', edit: 'upload', ask: 'edit' };

interface Arrival {
  trigger: Trigger;
  origin: Origin;
  /** As for {@link Uploader.upload}. */
  links?: DeliveryOptions;
  inverted?: boolean;
}

/** New pictures, each of which is uploaded or becomes a draft. */
export interface Arrivals {
  /** `delivered` as for {@link Uploader.upload}; undefined for drafts. */
  take(files: readonly NewItem[], arrival: Arrival): { ids: string[]; delivered?: Promise<Delivered> };
  /** The same for a draft that was kept as it came. */
  admit(id: string, trigger: Trigger, inverted: boolean): Promise<void>;
  /** Opens drafts that others have kept, or asks about them. */
  announce(ids: readonly string[], what: 'edit' | 'ask'): void;
  /** Calls back with new drafts to open, or to ask about. */
  onDrafts(listener: (ids: readonly string[], what: 'edit' | 'ask') => void): void;
}

export function createArrivals(uploader: Pick<Uploader, 'upload' | 'keep' | 'sendDraft'>, preferences: () => Preferences): Arrivals {
  let tell: Parameters<Arrivals['onDrafts']>[0] = () => undefined;
  function chosenFor(trigger: Trigger, inverted: boolean) {
    const chosen = preferences()[PREFERENCES[trigger]];
    return inverted ? INVERSE[chosen] : chosen;
  }

  return {
    take(files, { trigger, origin, links, inverted = false }) {
      const what = chosenFor(trigger, inverted);
      if (what === 'upload') return uploader.upload(files, origin, links);
      const ids = uploader.keep(files, origin, links);
      tell(ids, what);
      return { ids };
    },
    async admit(id, trigger, inverted) {
      const what = chosenFor(trigger, inverted);
      if (what === 'upload') await uploader.sendDraft(id);
      else tell([id], what);
    },
    announce: (...drafts) => tell(...drafts),
    onDrafts(listener) {
      tell = listener;
    },
  };
}
