import type { Translated } from '#texts/translated.ts';
import { access, account, accountDeletion, avatar, preferences, profile, settings, uploads } from '#texts/zh/account/account.ts';
import { auth, password } from '#texts/zh/account/auth.ts';
import { connect, passkeys, phones, sessions, signOn, tokens } from '#texts/zh/account/credentials.ts';
import { twoFactor } from '#texts/zh/account/two-factor.ts';
import { capture, computer, network } from '#texts/zh/desktop/computer.ts';
import { desktopUploads } from '#texts/zh/desktop/desktop-uploads.ts';
import { folders } from '#texts/zh/desktop/folders.ts';
import { moving } from '#texts/zh/moving.ts';
import { details, duplicates, expiry, hidden, opened, picture, searching, text, unsaved, versions, views } from '#texts/zh/pictures.ts';
import { problems } from '#texts/zh/problems.ts';
import { guest } from '#texts/zh/public/guest.ts';
import { deletion, publicAlbum, share, unlock } from '#texts/zh/public/share.ts';
import { redating } from '#texts/zh/redating.ts';
import { sentPictures } from '#texts/zh/sent.ts';
import { members, requests, team } from '#texts/zh/sharing.ts';
import { addressBanner } from '#texts/zh/shell/address-banner.ts';
import { shortcuts } from '#texts/zh/shell/shortcuts.ts';
import { viewer } from '#texts/zh/viewer.ts';
import type { en } from './en-later.ts';

/** 应用其余部分的文本。 */
export const zh: Translated<typeof en> = {
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
};
