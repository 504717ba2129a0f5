export const settings = {
  title: '设置',
  sections: '设置分类',
  appearance: '外观',
  tokens: 'API 令牌',
  account: '账户',
};
