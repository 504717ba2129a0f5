export const unsaved = {
  title: '放弃更改？',
  text: '你的更改尚未保存。',
  stay: '继续编辑',
  discard: '放弃更改',
};
