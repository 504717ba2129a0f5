import { type NativeImage, nativeImage } from 'electron';
import type { Account } from '#main/service/account.ts';
import { fetchThumbnail } from '#main/uploader/thumbnail.ts';

/** The picture in the notification of an upload: its thumbnail. Undefined if it isn't available; never rejects. */
export async function notificationPicture(account: Pick<Account, 'access'>, key: string): Promise<NativeImage | undefined> {
  try {
    const bytes = await fetchThumbnail(await account.access(), key);
    return bytes && nativeImage.createFromBuffer(bytes);
  } catch (error) {
    console.error('Couldn’t load the notification thumbnail:', error);
    return undefined;
  }
}
