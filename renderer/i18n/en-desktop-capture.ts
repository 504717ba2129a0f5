/** Settings of the desktop app about links and captures. */
export const capture = {
  links: 'Links',
  linksHint: 'How the app writes links to the clipboard. For pictures with a view limit, addresses lead to the share page.',
  customLink: 'Custom',
  template: 'Template',
  templateHint: 'Filled in: {{placeholders}}. Type two opening braces for one.',
  templateEmpty: 'Enter a template.',
  unknownPlaceholders: 'Unknown placeholder: {{unknown}}',
  separator: 'Between several links',
  separators: { newline: 'New line', space: 'Space', comma: 'Comma' },
  preview: 'Preview',
} as const;
