/** The style of the reference: light or dark, following the system. */
export const STYLE = `:root{color-scheme:light dark;--line:light-dark(#e2e8e9,#293437);--soft:light-dark(#f6f8f8,#1d2628);--dim:light-dark(#586a6f,#94a5a9);--accent:light-dark(#125d69,#7cc0ca)}
*{box-sizing:border-box}html{scroll-padding-top:1rem}
body{margin:0;padding:2rem clamp(1rem,4vw,3rem) 6rem;background:light-dark(#fff,#131a1c);color:light-dark(#111a1c,#dbe3e5);font:15px/1.55 system-ui,sans-serif}
header{max-width:60rem}h1{margin:0;font-size:1.6rem}h2{margin:2.5rem 0 .75rem;font-size:1.2rem}h4{margin:1.25rem 0 .375rem;font-size:.8125rem}
a{color:var(--accent)}p{max-width:46rem}small,i,summary span,.errors{color:var(--dim)}small,i{font-weight:400;font-style:normal;font-size:.75rem}
code,pre{font:.8125rem/1.5 ui-monospace,Menlo,Consolas,monospace}pre{overflow:auto;margin:.5rem 0;padding:.75rem 1rem;border:1px solid var(--line);border-radius:8px;background:var(--soft)}
.columns{display:grid;gap:0 3rem}nav{display:flex;flex-wrap:wrap;gap:.25rem 1rem;margin-top:1rem}nav a{text-decoration:none}nav a:hover{text-decoration:underline}main{min-width:0}
section>h2:first-child{scroll-margin-top:1rem}
details{border-top:1px solid var(--line)}summary{display:flex;flex-wrap:wrap;align-items:baseline;gap:.25rem .75rem;padding:.625rem 0;cursor:pointer;list-style:none}
summary::-webkit-details-marker{display:none}summary:hover code{text-decoration:underline}summary code{overflow-wrap:anywhere}
.method{flex:none;width:4rem;font:600 .75rem ui-monospace,monospace}.get{color:light-dark(#125d69,#7cc0ca)}.post{color:light-dark(#2c6415,#9bd17f)}.put,.patch{color:light-dark(#7d5400,#e3b65c)}.delete{color:light-dark(#b3261e,#ff9b93)}
.operation{padding:0 0 1.25rem}.scroll{overflow-x:auto;border:1px solid var(--line);border-radius:8px}table{width:100%;border-collapse:collapse;font-size:.8125rem}
th,td{padding:.4rem .75rem;border-top:1px solid var(--line);text-align:left;vertical-align:top;font-weight:400}thead th{border:0;background:var(--soft);color:var(--dim);font-size:.75rem}
tbody th{white-space:nowrap}td:nth-child(2){min-width:9rem;max-width:18rem;overflow-wrap:anywhere}td:last-child{min-width:12rem}
.errors{margin:.25rem 0;padding-left:1.25rem;font-size:.8125rem}.errors b{color:light-dark(#111a1c,#dbe3e5);font-weight:560}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
@media(min-width:62em){.columns{grid-template-columns:11rem minmax(0,58rem)}nav{position:sticky;top:1.5rem;flex-direction:column;align-self:start;max-height:calc(100vh - 3rem);margin-top:2.75rem;overflow:auto}}
@media(min-width:48em){summary span{margin-left:auto;text-align:right}}`;
