import { isDeepStrictEqual } from 'node:util';
import type { Album } from '#api/albums/albums.ts';
import { addableAlbums, allAlbums } from '#api/albums/find-album.ts';
import { getLimits } from '#api/auth/user.ts';
import { ApiError, createClient } from '#api/client.ts';
import { allowsVideos } from '#api/formats.ts';
import type { Reason } from '#main/base/reasons.ts';

/** Where a request of main goes, and as whom. */
export interface Access {
  url: string;
  headers: Record<string, string>;
  /** The start of every link. */
  linkAddress?: string;
}

/** The account main uploads with: on the hosted service, or on a joined host. */
export interface Account {
  /** Identifies it in the journal of uploads: `local:<user id>` or `host:<id>`; undefined until known. */
  id(): string | undefined;
  /** Shown to the user, for example in the tray; undefined until known. */
  name(): string | undefined;
  /** `ready` when requests can be sent now; `waiting` while the service or the account is unavailable. */
  state(): 'ready' | 'waiting';
  /** Why it is `waiting`, where that isn't the state of this app's own service. */
  whyWaiting?(): Reason;
  /** Returns a function that ends the subscription. */
  onChange(listener: () => void): () => void;
  /** Waits (bounded) for the service. @throws Reason `serviceUnreachable`, or `accountMissing` when the account is disabled or gone */
  access(): Promise<Access>;
  /** The same with a new session. */
  renew(): Promise<Access>;
}

/** Sends a request with an account; if its session has ended, retries once with a new one. */
export async function asAccount<T>(account: Account, ask: (access: Access) => Promise<T>): Promise<T> {
  const access = await account.access();
  try {
    return await ask(access);
  } catch (error) {
    if (!(error instanceof ApiError) || error.status !== 401) throw error;
    const current = await account.access();
    return ask(isDeepStrictEqual(current, access) ? await account.renew() : current); // another request may have renewed it
  }
}

/** All albums into which an account may put pictures, its own first. @throws as its requests do */
export function addableAlbumsOf(account: Account): Promise<Album[]> {
  return asAccount(account, ({ url, headers }) => addableAlbums(createClient({ baseUrl: url }), { headers }));
}

/** All albums of an account. @throws as its requests do */
export function albumsOf(account: Account): Promise<Album[]> {
  return asAccount(account, ({ url, headers }) => allAlbums(createClient({ baseUrl: url }), { headers }));
}

const LIMITS_TIMEOUT_MS = 3_000;

/** Whether an account may upload videos, or what is assumed where that can't be found out at once. */
export async function takesVideos(account: Account, otherwise = false): Promise<boolean> {
  if (account.state() !== 'ready') return otherwise;
  try {
    const { allowed_exts } = await asAccount(account, ({ url, headers }) =>
      createClient({ baseUrl: url }).call(getLimits, { headers, signal: AbortSignal.timeout(LIMITS_TIMEOUT_MS) }),
    );
    return allowsVideos(allowed_exts);
  } catch (error) {
    console.warn("Couldn't find out whether the account may upload videos:", error);
    return otherwise;
  }
}
