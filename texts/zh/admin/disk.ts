export const disk = {
  free: '可用 {{free}}，共 {{total}}，预留 {{reserve}}',
  stopped: '上传已停止。请腾出磁盘空间，或在设置中调低“磁盘预留空间”。',
  broken: 'Pixdock 无法读写此文件夹。请检查磁盘是否已连接。',
  fullness: '{{name}} 的磁盘使用情况',
};
