import { randomUUID } from 'node:crypto';
import { EventEmitter } from 'node:events';
import type { CardAction } from '#api/desktop/cards.ts';
import { atMost } from '#main/base/at-most.ts';
import type { Clock } from '#main/base/clock.ts';
import type { PreferenceStore } from '#main/base/preferences.ts';
import { type Failure, Reason } from '#main/base/reasons.ts';
import { EVENTS_PER_SECOND, type Ipc } from '#main/ipc.ts';
import type { Origin } from '#main/journal/batches.ts';
import type { Item, SentImage } from '#main/journal/item.ts';
import type { Texts } from '#main/texts/en.ts';
import type { BatchResult, Uploader } from '#main/uploader/uploader.ts';
import type { CardWindows } from '#main/windows/card-windows.ts';
import type { createCardFiles } from './card-files.ts';
import { CARD_PREFERENCES, type Card, type CardTrigger, imagesOf, type Outcome, presentCard, stateOf } from './card-state.ts';

/** On all displays together; then the oldest goes. */
const MAX_CARDS = 4;
/** The time that systems take until a hidden window is gone from the screen. */
const REPAINT_MS = 200;

/** What the buttons of cards do. */
export interface CardActions {
  /** Those that are possible with pictures that are uploaded, in order. */
  offered(card: Card): CardAction[];
  run(card: Card, action: CardAction): Promise<void>;
  /** A small picture from the server. */
  thumbnail(image: SentImage): Promise<Uint8Array<ArrayBuffer> | undefined>;
}

/** The uploads that cards show. */
export interface CardSource {
  uploader: Pick<Uploader, 'onAdded' | 'onEnded' | 'onChange' | 'progress' | 'waitsFor'>;
  find(id: string): Item | undefined;
  actions: CardActions;
}

interface Options {
  ipc: Pick<Ipc, 'tell' | 'handle'>;
  clock: Clock;
  windows: CardWindows;
  keepFile: ReturnType<typeof createCardFiles>;
  preferences: Pick<PreferenceStore, 'get' | 'onChange'>;
  texts(): Texts;
  /** The sentence that the user sees. */
  describe(failure: Failure): string;
  /** False where windows have no places (Wayland): notifications do the same. */
  canFloat: boolean;
}

export type Cards = ReturnType<typeof createCards>;

/** Cards that show what is captured and uploaded, in place of notifications. They go some seconds after the upload, unless the user looks at them or it failed. */
export function createCards({ ipc, clock, windows, keepFile, preferences, texts, describe, canFloat }: Options) {
  let cards: Card[] = [];
  let source: CardSource | undefined;
  /** Windows turned out not to be shown without the focus. */
  let isBroken = !canFloat;
  let isAside = false;
  /** Displays whose cards the user looks at. */
  const held = new Set<string>();
  const changes = new EventEmitter<{ change: [] }>();

  const on = (display: string) => cards.filter((card) => card.display === display);
  const tell = () => ipc.tell('cardsChanged', null);

  function plan(card: Card) {
    card.cancel?.();
    const { cardSeconds } = preferences.get();
    const stays = isAside || held.has(card.display) || cardSeconds === 0 || stateOf(card) !== 'done';
    if (!stays) card.cancel = clock.after(cardSeconds * 1_000, () => close(card));
  }

  function update(card: Card) {
    plan(card);
    tell();
  }

  function forget(gone: readonly Card[]) {
    cards = cards.filter((card) => !gone.includes(card));
    for (const { cancel, file } of gone) {
      cancel?.();
      file.remove();
    }
    changes.emit('change');
  }

  function close(card: Card) {
    if (!cards.includes(card)) return;
    forget([card]);
    const left = on(card.display).length;
    // The window goes with the last, and can't say that the user no longer looks at it.
    if (left === 0) held.delete(card.display);
    void windows.resize(card.display, left);
    tell();
  }

  function show(card: Card) {
    cards = [card, ...cards];
    const { seen, display } = card;
    seen.then((isSeen) => {
      if (isSeen) return;
      isBroken ||= on(display).includes(card);
      close(card);
    });
    while (cards.length > MAX_CARDS) close(cards.findLast((other) => stateOf(other) === 'done') ?? (cards.at(-1) as Card));
    changes.emit('change');
  }

  function look(card: Card) {
    const { file } = card;
    void file.picture.then((picture) => {
      if (card.file !== file) return;
      card.hasPicture = picture !== null;
      tell();
    });
  }

  function open(trigger: CardTrigger, first: Item, ids: readonly string[], batch: string): Card {
    const id = randomUUID();
    const display = windows.display();
    const card: Card = {
      ...{ id, display, trigger, hasPicture: false, outcome: undefined, name: first.name },
      batches: new Set([batch]),
      uploads: new Map(ids.map((upload) => [upload, undefined])),
      file: keepFile(first, id),
      seen: windows.resize(display, on(display).length + 1).catch((error: unknown) => {
        console.error('Couldn’t open the window of a card:', error);
        return false;
      }),
    };
    show(card);
    look(card);
    return card;
  }

  function add(ids: readonly string[], batch: string, origin: Origin) {
    const retried = cards.filter(({ uploads }) => ids.some((id) => uploads.has(id)));
    for (const card of retried) {
      for (const id of ids) if (card.uploads.has(id)) card.uploads.set(id, undefined);
      card.batches.add(batch);
      card.outcome = undefined;
      update(card);
    }
    const trigger = origin === 'capture' ? 'captures' : 'uploads';
    const first = ids[0] === undefined ? undefined : source?.find(ids[0]);
    const isNew = retried.length === 0 && origin !== 'editor' && origin !== 'retried';
    if (isNew && first && wants(trigger)) open(trigger, first, ids, batch);
  }

  const wants = (trigger: CardTrigger) => !isBroken && preferences.get()[CARD_PREFERENCES[trigger]];

  /** Watch folders bring many files one by one: all on one card, which shows the latest. */
  function addFromFolder(item: Item) {
    if (item.state === 'discarded' || !wants('folders')) return undefined;
    const card = cards.find(({ trigger }) => trigger === 'folders');
    if (!card) return open('folders', item, [item.id], item.batchId);
    card.file.remove();
    card.file = keepFile(item, card.id);
    card.name = item.name;
    card.batches.add(item.batchId);
    look(card);
    return card;
  }

  function end(item: Item, image: SentImage | undefined) {
    const card = cards.find(({ uploads }) => uploads.has(item.id)) ?? (item.folder && addFromFolder(item));
    if (!card) return;
    if (item.state === 'discarded') card.uploads.delete(item.id);
    else card.uploads.set(item.id, { ...(image && { image }), ...(item.failure && !image && { failure: item.failure }) });
    if (card.uploads.size === 0) close(card);
    else update(card);
  }

  const present = (card: Card) =>
    presentCard(card, { texts: texts(), describe, queue: source?.uploader, offered: source?.actions.offered(card) ?? [] });

  async function act(card: Card, action: CardAction) {
    if (action === 'close') return close(card);
    if (action === 'share') {
      const { shared, address } = (await card.outcome?.share?.()) ?? {};
      card.outcome = { onClipboard: 'links', links: shared };
      if (address) card.shared = address;
      return update(card);
    }
    await source?.actions.run(card, action);
    if (action === 'delete' || action === 'edit') return close(card);
    if (!card.outcome || (action !== 'copyLink' && action !== 'copyPicture')) return;
    card.outcome = { ...card.outcome, hasFailed: false, onClipboard: action === 'copyLink' ? 'links' : 'picture' };
    delete card.shared;
    update(card);
  }

  const cardCalled = (id: string) => cards.find((card) => card.id === id);
  ipc.handle({
    getCards: (display) => {
      const { htmlLang: lang, cards: heading, cardDelete: askDelete, cancel } = texts();
      return { lang, heading, askDelete, cancel, cards: on(display).map(present) };
    },
    async getCardPicture(id) {
      const card = cardCalled(id);
      const picture = await card?.file.picture;
      if (!card || picture) return picture ?? null;
      const [image] = imagesOf(card);
      // Its words say what it is, too.
      const report = (error: unknown) => void console.error('Couldn’t load the picture of a card:', error);
      return (image && (await source?.actions.thumbnail(image).catch(report))) ?? null;
    },
    async actOnCard(id, action) {
      const card = cardCalled(id);
      if (card) await act(card, action);
      return undefined;
    },
    async dragCard(id) {
      const card = cardCalled(id);
      const icon = await card?.file.icon();
      if (!card || !icon) throw new Reason('fileMissing');
      card.file.keep();
      windows.startDrag(card.display, card.file.path, icon);
      return undefined;
    },
    holdCards(display, isHeld) {
      if (isHeld) held.add(display);
      else held.delete(display);
      on(display).forEach(plan);
    },
  });
  windows.onClosed((display) => {
    held.delete(display);
    forget(on(display));
  });
  preferences.onChange(() => {
    cards.forEach(plan);
    tell();
  });

  return {
    /** Shows uploads from then on. */
    follow(uploads: CardSource) {
      source = uploads;
      uploads.uploader.onAdded(({ ids, batchId, origin }) => add(ids, batchId, origin));
      uploads.uploader.onEnded(({ item, image }) => end(item, image));
      uploads.uploader.onChange(atMost(EVENTS_PER_SECOND, () => cards.some((card) => stateOf(card) === 'uploading') && tell()));
    },
    /** Shows the outcome of a batch on its cards. Resolves to the result without what the user can see there. */
    async finish(result: BatchResult, outcome: Outcome): Promise<BatchResult> {
      const own = cards.filter(({ batches }) => result.id !== undefined && batches.has(result.id));
      for (const card of own) {
        card.outcome = outcome;
        update(card);
      }
      const seen = new Set<string>();
      for (const card of own)
        if ((await card.seen) && cards.includes(card)) for (const [id, upload] of card.uploads) seen.add(id).add(upload?.image?.key ?? id);
      const { done, failed } = result;
      return { ...result, done: done.filter(({ key }) => !seen.has(key)), failed: failed.filter(({ id }) => !id || !seen.has(id)) };
    },
    /** Whether a card shows an upload. */
    has: (id: string) => cards.some(({ uploads }) => uploads.has(id)),
    count: () => cards.length,
    /** Moves the focus into the newest. */
    focus() {
      const [newest] = cards;
      if (!newest) return;
      windows.focus(newest.display);
      ipc.tell('cardFocused', newest.id);
    },
    /** Takes a picture of the screen without cards in it. */
    async aside<T>(take: () => Promise<T>): Promise<T> {
      isAside = true;
      cards.forEach(plan);
      try {
        if (windows.hide()) await new Promise<void>((resolve) => clock.after(REPAINT_MS, resolve));
        return await take();
      } finally {
        isAside = false;
        windows.reveal();
        cards.forEach(plan);
      }
    },
    onChange: (listener: () => void) => void changes.on('change', listener),
  };
}
