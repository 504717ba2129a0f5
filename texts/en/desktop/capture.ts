/** Settings of the desktop app about links and captures. */
export const capture = {
  shortcut: 'Capture shortcut',
  shortcutHint: 'Select part of the screen to upload it and copy its link.',
  shortcutUnchecked:
    'Wayland doesn’t tell apps whether their shortcuts work. Your desktop may ask you to allow this one. If nothing happens when you press it, use the command below.',
  shortcutUnsupported: 'This desktop doesn’t let apps use shortcuts under Wayland. Use the command below instead.',
  command: 'You can also bind this command to a key in your system settings:',
  commandWayland: 'Bind this command to a key in your system settings:',
  copyCommand: 'Copy {{command}}',
  clipboardPrograms:
    'Under Wayland, Pixdock needs the package wl-clipboard to upload the clipboard and copy links while another window has the focus. Install it with your system’s software manager.',
  delay: 'Delay before captures',
  delayHint:
    'Time to open a menu or move the pointer. The tray offers the same, and captures of the last region, a window or the whole screen.',
  noDelay: 'None',
  delaySeconds: '{{count}} s',
  newPictures: 'New pictures',
  newPicturesHint:
    'With “Edit first” or “Ask”, nothing is uploaded until you send it. Hold {{key}} to edit a picture that would be uploaded, and the reverse.',
  afterCapture: 'After a capture',
  afterClipboard: 'From the clipboard',
  afterDrop: 'From the drop window',
  after: { upload: 'Upload', edit: 'Edit first', ask: 'Ask' },
  watch: 'Upload copied pictures',
  watchHint:
    'Uploads each picture you copy, such as a screenshot, and replaces it on the clipboard with the link. Copied files and text aren’t affected.',
  watchUnavailable: 'Wayland doesn’t let apps in the background watch the clipboard. Use the commands above instead.',
  links: 'Links',
  linksHint: 'The format in which the app copies links. Links to pictures with a view limit open the share page.',
  copied: 'Copied after an upload',
  copies: { link: 'Link', picture: 'Picture', both: 'Both' },
  copiedHint: 'With “Both”, each program pastes what it can. Of several pictures, the links are copied.',
  copiedUnavailable: 'Wayland lets apps in the background copy only text.',
  customLink: 'Custom',
  template: 'Template',
  templateHint: 'Placeholders: {{placeholders}}. To insert an opening brace, type it twice.',
  templateEmpty: 'Enter a template.',
  unknownPlaceholders: 'Unknown placeholder: {{unknown}}',
  separator: 'Separator between links',
  separators: { newline: 'New line', space: 'Space', comma: 'Comma' },
  preview: 'Preview',
} as const;
