import { access, account, accountDeletion, avatar, preferences, profile, settings, uploads } from '#texts/en/account/account.ts';
import { auth, password } from '#texts/en/account/auth.ts';
import { connect, passkeys, phones, sessions, signOn, tokens } from '#texts/en/account/credentials.ts';
import { twoFactor } from '#texts/en/account/two-factor.ts';
import { capture, computer, network } from '#texts/en/desktop/computer.ts';
import { desktopUploads } from '#texts/en/desktop/desktop-uploads.ts';
import { folders } from '#texts/en/desktop/folders.ts';
import { moving } from '#texts/en/moving.ts';
import { details, duplicates, expiry, hidden, opened, picture, searching, text, unsaved, versions, views } from '#texts/en/pictures.ts';
import { problems } from '#texts/en/problems.ts';
import { guest } from '#texts/en/public/guest.ts';
import { deletion, publicAlbum, share, unlock } from '#texts/en/public/share.ts';
import { redating } from '#texts/en/redating.ts';
import { sentPictures } from '#texts/en/sent.ts';
import { members, requests, team } from '#texts/en/sharing.ts';
import { addressBanner } from '#texts/en/shell/address-banner.ts';
import { shortcuts } from '#texts/en/shell/shortcuts.ts';
import { viewer } from '#texts/en/viewer.ts';

/** English texts of everything else in the web application, loaded with the first part of it that isn’t on the first page. */
export const en = {
  details,
  desktopUploads,
  shortcuts,
  addressBanner,
  password,
  unsaved,
  auth,
  access,
  signOn,
  viewer,
  text,
  settings,
  preferences,
  account,
  tokens,
  unlock,
  share,
  publicAlbum,
  deletion,
  guest,
  duplicates,
  members,
  requests,
  team,
  redating,
  moving,
  sentPictures,
  hidden,
  opened,
  picture,
  searching,
  versions,
  expiry,
  computer,
  connect,
  capture,
  network,
  folders,
  avatar,
  profile,
  twoFactor,
  accountDeletion,
  passkeys,
  phones,
  uploads,
  sessions,
  problems,
  views,
} as const;
