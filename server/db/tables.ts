import type { AlbumsTable } from '../albums/albums.ts';
import type { SessionsTable } from '../auth/sessions.ts';
import type { UsersTable } from '../auth/users.ts';
import type { GroupsTable } from '../groups/groups.ts';
import type { ImagesTable } from '../images/images.ts';
import type { PoliciesTable } from '../policies/policies.ts';
import type { SettingsTable } from '../settings/settings.ts';
import type { BlobsTable } from '../storage/blobs.ts';
import type { TokensTable } from '../tokens/tokens.ts';

/** Every table, each described where its rules are. */
export interface Tables {
  albums: AlbumsTable;
  blobs: BlobsTable;
  groups: GroupsTable;
  images: ImagesTable;
  policies: PoliciesTable;
  sessions: SessionsTable;
  settings: SettingsTable;
  tokens: TokensTable;
  users: UsersTable;
}
