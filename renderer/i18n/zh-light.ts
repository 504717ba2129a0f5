import { errors } from '#texts/zh/errors.ts';
import { publicAlbum, share, unlock } from '#texts/zh/public/share.ts';
import { app, common, links, opens, publicPages } from '#texts/zh/shell/common.ts';
import { visitorProblems } from '#texts/zh/visitor-problems.ts';

/** The texts of the light pages, in Chinese. */
export const texts = {
  app,
  common,
  links,
  opens,
  public: publicPages,
  unlock,
  share,
  publicAlbum,
  errors,
  problems: visitorProblems,
};
