export const badges = {
  join: '，',
  animated: '动图',
  inText: '图中文字：{{text}}',
  private: '仅自己',
  protected: '受密码保护',
  expires: '{{date}} 过期',
  expired: '已过期',
  viewsLeft_other: '还可浏览 {{count}} 次',
  left: '剩 {{formatted}} 次',
  hidden: '打开相册的人看不到',
};
