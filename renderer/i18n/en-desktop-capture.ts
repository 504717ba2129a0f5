/** Settings of the desktop app about links and captures. */
export const capture = {
  shortcut: 'Capture shortcut',
  shortcutHint: 'Lets you select a part of the screen, uploads it and copies the link.',
  shortcutUnchecked:
    'Wayland doesn’t tell apps whether their shortcuts work. Your desktop may ask you to allow this one. If nothing happens when you press it, use the command below.',
  shortcutUnsupported: 'This desktop doesn’t let apps use shortcuts under Wayland. Use the command below instead.',
  command: 'This command does the same. You can bind it to a key in your system settings:',
  commandWayland: 'Bind this command to a key in your system settings:',
  copyCommand: 'Copy {{command}}',
  watch: 'Upload copied pictures',
  watchHint:
    'Uploads each picture you copy, such as a screenshot, and replaces it on the clipboard with the link. Copied files and text are left alone.',
  watchUnavailable: 'Wayland doesn’t let apps in the background watch the clipboard. Use the commands above instead.',
  links: 'Links',
  linksHint: 'How the app writes links to the clipboard. For pictures with a view limit, links go to the share page.',
  customLink: 'Custom',
  template: 'Template',
  templateHint: 'You can use {{placeholders}}. To write an opening brace, type it twice.',
  templateEmpty: 'Enter a template.',
  unknownPlaceholders: 'Unknown placeholder: {{unknown}}',
  separator: 'Between links',
  separators: { newline: 'New line', space: 'Space', comma: 'Comma' },
  preview: 'Preview',
} as const;
