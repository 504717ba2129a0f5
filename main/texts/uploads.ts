/** Texts about the uploads and their queue. */
export const uploadsEn = {
  uploading: (count: number) => (count === 1 ? 'Uploading 1 picture…' : `Uploading ${count} pictures…`),
  uploadsWaiting: (count: number) => (count === 1 ? '1 upload is waiting' : `${count} uploads are waiting`),
  uploadsPaused: (count: number) => (count === 0 ? 'Uploads are paused' : `Uploads are paused (${count} left)`),
  pauseUploads: 'Pause uploads',
  resumeUploads: 'Resume uploads',
  showUploads: 'Show uploads…',
  notUploaded: (count: number) => (count === 1 ? '1 upload failed' : `${count} uploads failed`),
  moreFailed: (count: number) => (count === 1 ? '1 more…' : `${count} more…`),
  retryAll: 'Retry all',
  dismissAll: 'Dismiss all',
  serviceUnavailable: 'Pixdock isn’t running. Uploads will continue when it’s back.',
  responseUnknown: 'The Pixdock server is a different version, and its response can’t be read. Update Pixdock on both computers.',
  editorsOff: 'Uploads from editors are turned off in Pixdock.',
  uploadsArePaused: 'Uploads are paused in Pixdock. Resume them and try again.',
};

export const uploadsZh: typeof uploadsEn = {
  uploading: (count) => `正在上传 ${count} 张图片…`,
  uploadsWaiting: (count) => `${count} 张图片等待上传`,
  uploadsPaused: (count) => (count === 0 ? '上传已暂停' : `上传已暂停（还剩 ${count} 张）`),
  pauseUploads: '暂停上传',
  resumeUploads: '继续上传',
  showUploads: '查看上传列表…',
  notUploaded: (count) => `${count} 张图片上传失败`,
  moreFailed: (count) => `还有 ${count} 张…`,
  retryAll: '全部重试',
  dismissAll: '全部清除',
  serviceUnavailable: 'Pixdock 服务未运行，恢复后会继续上传。',
  responseUnknown: 'Pixdock 服务器与本机的版本不同，无法读取其响应。请更新两台电脑上的 Pixdock。',
  editorsOff: 'Pixdock 的“编辑器上传”已关闭。',
  uploadsArePaused: 'Pixdock 已暂停上传。请先在 Pixdock 中恢复上传，然后重试。',
};
