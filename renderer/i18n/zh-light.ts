import { auth } from '#texts/zh/account/auth.ts';
import { password } from '#texts/zh/account/password.ts';
import { errors } from '#texts/zh/errors.ts';
import { links } from '#texts/zh/links.ts';
import { problems } from '#texts/zh/problems.ts';
import { deletion } from '#texts/zh/public/deletion.ts';
import { publicPages } from '#texts/zh/public/public.ts';
import { publicAlbum } from '#texts/zh/public/public-album.ts';
import { share } from '#texts/zh/public/share.ts';
import { unlock } from '#texts/zh/public/unlock.ts';
import { app } from '#texts/zh/shell/app.ts';
import { common } from '#texts/zh/shell/common.ts';
import { viewer } from '#texts/zh/viewer.ts';

/** The texts of the light pages, in Chinese. */
export const texts = {
  app,
  common,
  auth,
  password,
  viewer,
  links,
  public: publicPages,
  unlock,
  share,
  publicAlbum,
  deletion,
  errors,
  problems,
};
