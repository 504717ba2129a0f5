import { errors } from '#texts/zh/errors.ts';
import { deletion, publicAlbum, share, unlock } from '#texts/zh/public/share.ts';
import { app, common, links, opens, publicPages } from '#texts/zh/shell/common.ts';
import { viewer } from '#texts/zh/viewer.ts';
import { visitorProblems } from '#texts/zh/visitor-problems.ts';

/** The texts of the light pages, in Chinese. */
export const texts = {
  app,
  common,
  viewer,
  links,
  opens,
  public: publicPages,
  unlock,
  share,
  publicAlbum,
  deletion,
  errors,
  problems: visitorProblems,
};
