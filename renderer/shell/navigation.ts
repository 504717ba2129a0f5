import { IconAlbum, IconPhoto, IconSettings, IconTrash } from '@tabler/icons-react';

/** The places that the sidebar and the bottom bar lead to. */
export const PLACES = [
  { to: '/', label: 'nav.pictures', Icon: IconPhoto, exact: true },
  { to: '/albums', label: 'nav.albums', Icon: IconAlbum, exact: false },
  { to: '/trash', label: 'nav.trash', Icon: IconTrash, exact: false },
  { to: '/settings', label: 'nav.settings', Icon: IconSettings, exact: false },
] as const;
