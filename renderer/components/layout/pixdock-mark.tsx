/** Pixdock's logo: a picture resting in a dock. Decorative, since the name always stands beside it. */
export function PixdockMark({ size = 32 }: { size?: number }) {
  return (
    <svg width={size} height={size} viewBox="0 0 32 32" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" fill="#125d69" />
      <path d="M8 8.5h16v10l-4.2-4.2a1.6 1.6 0 0 0-2.3 0l-3.6 3.7-1.4-1.4a1.6 1.6 0 0 0-2.3 0L8 18.8z" fill="#fff" opacity=".95" />
      <circle cx="12.4" cy="12.3" r="1.6" fill="#125d69" />
      <path
        d="M6.5 20.5v2.2a2.3 2.3 0 0 0 2.3 2.3h14.4a2.3 2.3 0 0 0 2.3-2.3v-2.2"
        fill="none"
        stroke="#a8d5db"
        strokeWidth="2.2"
        strokeLinecap="round"
      />
    </svg>
  );
}
