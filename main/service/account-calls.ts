import { fullName } from '#api/albums/find-album.ts';
import type { Ipc } from '#main/ipc.ts';
import { type Account, addableAlbumsOf } from './account.ts';
import type { LocalAccount } from './local-account.ts';

/**
 * Handles the calls about the account that main uploads with.
 * @param local the same, as an account of the service; undefined while another Pixdock server is joined
 */
export function handleAccountCalls(ipc: Ipc, account: Account, local: LocalAccount | undefined): void {
  ipc.handle({
    getAccounts: () => local?.choices() ?? [],
    getAlbums: async () => (await addableAlbumsOf(account)).map((album) => ({ id: album.id, name: fullName(album) })),
  });
}
