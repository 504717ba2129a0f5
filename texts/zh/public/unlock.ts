export const unlock = {
  password: '密码',
  show: '显示密码',
  submit: '解锁',
  wait: '{{time}}后可重试',
  tooMany: '密码错误次数过多。',
  tooManyNext: '{{time}}后即可再次尝试。如不确定密码，请询问发来链接的人。',
};
