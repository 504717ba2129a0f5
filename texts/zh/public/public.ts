export const publicPages = {
  toPictures: '我的图片',
  signIn: '登录',
};
