export const account = {
  username: '用户名',
  email: '邮箱',
  noEmail: '无',
  role: '角色',
  owner: '所有者',
  admin: '管理员',
  user: '成员',
  since: '加入时间',
};
