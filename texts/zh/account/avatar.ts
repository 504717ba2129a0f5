export const avatar = {
  title: '头像',
  hint: '只有登录的用户可以看到。',
};
