export const common = {
  cancel: '取消',
  close: '关闭',
  done: '完成',
  delete: '删除',
  retry: '重试',
  loading: '正在加载…',
  optional: '{{label}}（可选）',
  typeName: '请输入“{{name}}”以确认',
  typeNameWrong: '与名称不一致。',
};
