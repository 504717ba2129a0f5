import { type Clipboard, type NativeImage, nativeImage } from 'electron';
import { linkStyleOf, type Preferences } from '#api/desktop/preferences.ts';
import { type LinkStyle, styledLinks } from '#api/sharing/link-formats.ts';
import { reachOf } from '#api/sharing/reach.ts';
import { describe as describeError, type Failure } from '#main/base/reasons.ts';
import { type Notify, namesInNotice } from '#main/base/system/notifications.ts';
import { within } from '#main/base/time-limit.ts';
import { uprightImage } from '#main/base/upright-image.ts';
import { readClipboard } from '#main/capture/clipboard.ts';
import type { Ipc } from '#main/ipc.ts';
import type { DeliveryOptions } from '#main/journal/batches.ts';
import type { Item, SentImage } from '#main/journal/item.ts';
import { type Lan, ONLY_HERE } from '#main/lan/lan.ts';
import type { Access, Account } from '#main/service/account.ts';
import type { Texts } from '#main/texts/en.ts';
import { pageToSend } from '#main/uploader/recent-uploads.ts';
import { fetchThumbnail } from '#main/uploader/thumbnail.ts';
import type { BatchResult } from '#main/uploader/uploader.ts';
import { openOutside } from '#main/windows/navigation.ts';
import { type Outcome, whoOpens } from './card-state.ts';
import type { Cards } from './cards.ts';

/** The time that the clipboard has to take the text. */
const COPY_LIMIT_MS = 3_000;
/** Characters of a link in a notification. */
const MAX_SHOWN_LINK = 100;

type Copied = Outcome['onClipboard'];

interface Options {
  ipc: Pick<Ipc, 'tell' | 'handle'>;
  /** Sharing on the local network; undefined where another computer hosts. */
  lan: Pick<Lan, 'status' | 'share'> | undefined;
  clipboard: Pick<Clipboard, 'read' | 'writeText'>;
  /** Copies a PNG, with a text in the same item. Undefined where only text can be copied. */
  copyPicture: ((png: Uint8Array, text?: string) => Promise<unknown>) | undefined;
  preferences(): Preferences;
  texts(): Texts;
  notify: Notify;
  /** What they show isn't notified of. */
  cards: Pick<Cards, 'finish' | 'has'>;
  account: Account;
  /** The sentence that the user sees. */
  describe(failure: Failure): string;
  /** Shows the window, on a page of the application. */
  openWindow(page: string): void;
  /** Shows a page of the account's server: in the window, or in the browser where another computer hosts. */
  openOnServer(page: string): void;
}

/** Delivers finished uploads: copies the links and notifies the user, including of failures. */
export function createDelivery(options: Options) {
  const { ipc, lan, clipboard, copyPicture, preferences, texts, notify, cards, account, describe, openWindow, openOnServer } = options;
  /** Failed uploads that the user has been told of, by batch: the first one of a batch, at once. */
  const told = new Map<string, string>();

  function tellFailed(failed: BatchResult['failed']) {
    const reasons = failed.map(({ name, failure }) => texts().labelled(name, describe(failure)));
    const body = namesInNotice(reasons, texts().andMore);
    notify({ title: texts().failedTitle(failed.length), body, failure: true, type: 'failed', onClick: () => openWindow('/uploads') });
  }

  /** Offers links that could not be copied: a click on the notification copies them. */
  async function tellUploaded(done: readonly SentImage[], onClipboard: Copied, links: string | undefined, sendsOn: boolean) {
    const [first] = done;
    if (!first) return;
    const offer = !sendsOn && links !== undefined && onClipboard !== 'links';
    const titles = {
      links: texts().uploadedTitle(done.length),
      picture: texts().pictureCopied,
      nothing: texts().uploadedWithoutCopy(done.length),
    };
    const title = titles[onClipboard];
    const names = namesInNotice(
      done.map(({ name }) => name),
      texts().andMore,
    );
    const who = whoOpens(done);
    const body = [
      names,
      ...(links ? [shownLink(links)] : []),
      texts().opens(who, done.length),
      ...(sendsOn ? [texts().pressToSendOn] : []),
      ...(offer ? [onClipboard === 'picture' ? texts().pressToCopyLink : texts().pressToCopy] : []),
    ].join('\n');
    const open = () => (sendsOn ? openOnServer(pageToSend(first.key)) : openOutside(first.links.share_url));
    const onClick = offer ? () => void copy(links) : open;
    const action = links !== undefined && mayShare(done, onClipboard) ? shareAction(links, done.length) : undefined;
    notify({ title, body, icon: await notificationPicture(account, first.key), onClick, ...(action && { action }) });
  }

  /** Whether links were copied that only this computer can open, which can be changed here. */
  const mayShare = (done: readonly SentImage[], onClipboard: Copied) =>
    onClipboard === 'links' && whoOpens(done) === 'computer' && lan !== undefined && !lan.status().fixed.host && !lan.status().elsewhere;

  function shareAction(links: string, count: number) {
    const run = () =>
      void shareLinks(links).then(
        ({ shared, address }) =>
          notify({ title: texts().linkCopiedAgain, body: [shownLink(shared), texts().opens(reachOf(address), count)].join('\n') }),
        (error: unknown) => {
          console.error('Couldn’t share links on the network:', error);
          notify({ title: texts().shareFailed, body: describeError(error, texts()), failure: true });
        },
      );
    return { label: texts().shareNow, run, orOpen: texts().openPicture };
  }

  /** Turns sharing on, and copies links with the address that others can open. */
  async function shareLinks(links: string) {
    if (!lan) throw new Error('Another computer hosts these pictures.');
    const address = await lan.share();
    const shared = links.replaceAll(`http://${ONLY_HERE}:${lan.status().port}`, address);
    await clipboard.writeText(shared);
    return { shared, address };
  }
  ipc.handle({
    shareLinks: async (links) => {
      await shareLinks(links);
      return undefined;
    },
  });

  /** Links replace the uploaded content, but nothing that was copied since. */
  async function mayReplace(mark: string | undefined, late: boolean) {
    if (mark === undefined) return !late;
    try {
      return (await readClipboard(clipboard)).mark === mark;
    } catch (error) {
      // Wayland, in the background: it was read a moment ago, so it counts as unchanged.
      console.error('Couldn’t read the clipboard again:', error);
      return !late;
    }
  }

  async function copy(text: string) {
    try {
      await within(clipboard.writeText(text), COPY_LIMIT_MS, () => new Error('The system didn’t accept the text in time.'));
      return true;
    } catch (error) {
      console.error('Couldn’t write to the clipboard:', error);
      return false;
    }
  }

  /** The only picture of a batch, if it is to be copied. A failure is logged: its link is copied instead. */
  async function pictureToCopy([image, ...others]: readonly SentImage[]) {
    if (!copyPicture || !image || others.length > 0 || preferences().copied === 'link') return undefined;
    try {
      return await uploadedPicture(await account.access(), image);
    } catch (error) {
      console.error('Couldn’t load a picture to copy it:', error);
      return undefined;
    }
  }

  /** Copies what the user chose. Resolves to what is on the clipboard: the links, perhaps with a picture, only a picture, or nothing of it. */
  async function copyChosen(done: readonly SentImage[], text: string): Promise<Copied> {
    const picture = await pictureToCopy(done);
    if (!picture || !copyPicture) return (await copy(text)) ? 'links' : 'nothing';
    try {
      const isWithText = preferences().copied === 'both';
      await within(
        copyPicture(picture, isWithText ? text : undefined),
        COPY_LIMIT_MS,
        () => new Error('The system didn’t accept it in time.'),
      );
      return isWithText ? 'links' : 'picture';
    } catch (error) {
      console.error('Couldn’t copy a picture:', error);
      return (await copy(text)) ? 'links' : 'nothing';
    }
  }

  function tellOfFailure({ id, batchId, name, failure }: Pick<Item, 'id' | 'batchId' | 'name' | 'failure'>) {
    if (!failure || told.has(batchId) || cards.has(id)) return;
    told.set(batchId, id);
    tellFailed([{ name, failure }]);
  }

  /** Tells the user what no card shows, and no earlier notification has. */
  async function tellRest({ id, done, failed, links: asked }: BatchResult, { onClipboard, links }: Outcome) {
    const known = id === undefined ? undefined : told.get(id);
    if (id !== undefined) told.delete(id);
    const untold = failed.filter((each) => each.id === undefined || each.id !== known);
    if (untold.length > 0) tellFailed(untold);
    await tellUploaded(done, onClipboard, links, asked?.sendsOn === true);
  }

  async function deliver(result: BatchResult): Promise<boolean> {
    const { done, failed, links, late } = result;
    if (!done.length) {
      const outcome = { onClipboard: 'nothing' } as const;
      await tellRest(await cards.finish(result, outcome), outcome);
      ipc.tell('delivery', { links: '', count: 0, who: 'private', opens: '', failed: failed.length, copied: false });
      return false;
    }
    const text = links && styledLinks(done, styleOf(links, preferences()));
    const mayCopy = text !== undefined && (await mayReplace(links?.mark, late));
    const onClipboard = mayCopy ? await copyChosen(done, text) : 'nothing';
    const copied = onClipboard === 'links';
    const shownLinks = text ?? styledLinks(done, linkStyleOf(preferences()));
    ipc.tell('delivery', {
      links: shownLinks,
      count: done.length,
      who: whoOpens(done),
      opens: texts().opens(whoOpens(done), done.length),
      failed: failed.length,
      copied,
    });
    const [first] = done;
    // The page comes to the front only while the user waits for it.
    if (links?.sendsOn && !late && first) openOnServer(pageToSend(first.key));
    const share = text !== undefined && mayShare(done, onClipboard) ? () => shareLinks(text) : undefined;
    const outcome: Outcome = { onClipboard, hasFailed: mayCopy && onClipboard === 'nothing', links: text, share };
    await tellRest(await cards.finish(result, outcome), outcome);
    return copied;
  }

  return {
    /** Resolves to whether the links were copied. */
    deliver,
    /** Copies a text; resolves to whether the system took it. */
    copy,
    /** Tells the user of a failure while other uploads of its batch still run. */
    tellOfFailure,
  };
}

function styleOf({ format, template }: DeliveryOptions, preferences: Preferences): LinkStyle {
  const preferred = linkStyleOf(preferences);
  if (template !== undefined) return { ...preferred, format: 'custom', template };
  return { ...preferred, format: format ?? preferred.format };
}

/** The first line of links, shortened: what is on the clipboard. */
function shownLink(links: string) {
  const [first = '', ...more] = links.split('\n');
  const cut = first.length > MAX_SHOWN_LINK;
  return (cut ? first.slice(0, MAX_SHOWN_LINK - 1) : first) + (cut || more.length > 0 ? '…' : '');
}

/** The picture in the notification of an upload: its thumbnail. Undefined if it isn't available; never rejects. */
async function notificationPicture(account: Pick<Account, 'access'>, key: string): Promise<NativeImage | undefined> {
  try {
    const bytes = await fetchThumbnail(await account.access(), key);
    return bytes && nativeImage.createFromBuffer(bytes);
  } catch (error) {
    console.error('Couldn’t load the notification thumbnail:', error);
    return undefined;
  }
}

/** The time for a picture that was just uploaded. */
const TIME_LIMIT_MS = 10_000;
const MAX_BYTES = 64 * 1024 * 1024;

/**
 * An uploaded picture as a PNG, as the service has it. Undefined where the account may not see it, as with a token that may only upload, and
 * for formats that Electron can't decode.
 */
async function uploadedPicture({ url, headers }: Access, { links, ext }: SentImage): Promise<Buffer | undefined> {
  const { pathname } = new URL(links.url);
  const response = await fetch(url + pathname, { headers, redirect: 'error', signal: AbortSignal.timeout(TIME_LIMIT_MS) });
  if (!response.ok || Number(response.headers.get('content-length') ?? Number.POSITIVE_INFINITY) > MAX_BYTES) {
    await response.body?.cancel();
    return undefined;
  }
  const bytes = Buffer.from(await response.arrayBuffer());
  if (ext === 'png') return bytes;
  return (await uprightImage(bytes))?.toPNG();
}
