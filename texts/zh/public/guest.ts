import type { guest as english } from '#texts/en/public/guest.ts';
import type { Translated } from '#texts/translated.ts';

export const guest: Translated<typeof english> = {
  title: '无需账户即可上传',
  intro: '将图片拖放到页面任意位置，即可获得每张图片的链接。',
  introTouch: '从手机相册选择，或直接拍照，即可获得每张图片的链接。',
  choose: '选择图片',
  paste: '或按 {{keys}} 粘贴',
  size: '每张不超过 {{size}}',
  anySize: '不限大小',
  stay: '保留 {{time}}',
  stayForever: '删除前一直保留',
  visible: '知道链接的任何人都能看到',
  link: '不登录，直接上传',
  offTitle: '游客上传已关闭',
  offText: '请登录后上传，或请管理员开启游客上传。',
  results: '本次上传',
  onceTitle: '离开前请保存这些链接',
  onceText: '这些链接只在此页面上显示，之后无法找回。如果以后可能要删除图片，请保存用于删除的链接。',
  sharePage: '分享页面',
  deleteLink: '用于删除的链接',
  copyDelete: '复制用于删除 {{name}} 的链接',
  copyLink: '复制 {{name}} 的链接',
  until: '保留至 {{date}}',
  copyAll_other: '复制链接',
  format: '链接格式',
};
