import { IconPhoto, IconSettings } from '@tabler/icons-react';

/** The places that the sidebar and the bottom bar lead to. */
export const PLACES = [
  { to: '/', label: 'nav.pictures', Icon: IconPhoto, exact: true },
  { to: '/settings', label: 'nav.settings', Icon: IconSettings, exact: false },
] as const;
