import { Random } from '/work/main/src/base/random.ts'
import { Decider } from '/work/main/src/predict/decide/decider.ts'
import { Accesses } from '/work/main/src/predict/propose/accesses.ts'
import { dataRaces } from '/work/main/src/predict/propose/data-race.ts'
import { randomTrace } from '/work/main/test/oracle/random-trace.ts'
for (let seed=1; seed<=8; seed++) {
  const random = new Random(seed)
  const trace = randomTrace(seed, { events: 1000, tasks: [2, 4, 8, 16][seed % 4]!, locations: 4 + random.below(12), locks: 2 + random.below(6), signals: 1, values: 3, waits: seed % 3 === 0, sites: 50 })
  for (const model of (process.argv[2]??'sync,data,maximal').split(',') as any[]) {
    const d = new Decider(trace, model, Number(process.argv[3]??500))
    const all:any[]=[]
    for (const g of dataRaces(d.causality, d.must, new Accesses(d.causality))) { let k=0; for (const c of g.candidates()) { if (random.chance(.2)) all.push(c); if (++k>40) break }; if (all.length>2000) break }
    const st:any={}; let worst=0, tot=0
    for (let i=0;i<10 && all.length;i++) { const c=all.splice(random.below(all.length),1)[0]; const t=performance.now(); const a=d.decide(c); const ms=performance.now()-t; tot+=ms; worst=Math.max(worst,ms); if (ms>50) console.log('   ', a.stage, a.verdict, ms.toFixed(0), JSON.stringify((d as any).last)); const k=a.stage+' '+a.verdict; st[k]=(st[k]??0)+1 }
    console.log(seed, trace.eventCount, trace.taskCount, model, tot.toFixed(0), worst.toFixed(0), JSON.stringify(st))
  }
}
