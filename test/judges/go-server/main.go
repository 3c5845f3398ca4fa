// A lite server for the client of tonhouse: transport, TL and cells are those of tonutils-go, blocks and signatures are
// those of mainnet. It answers head, look-up, block and block proof, and lies if it is asked to.
package main

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"encoding/json"
	"flag"
	"fmt"
	"log"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/xssnick/tonutils-go/adnl"
	"github.com/xssnick/tonutils-go/liteclient"
	"github.com/xssnick/tonutils-go/tl"
	"github.com/xssnick/tonutils-go/ton"
	"github.com/xssnick/tonutils-go/tvm/cell"
)

const wholeShard = -1 << 63

type block struct {
	id         *ton.BlockIDExt
	data       []byte
	root       *cell.Cell
	header     *cell.Cell
	signatures *ton.SignatureSet
	isKey      bool
}

var (
	blocks      = map[string]*block{}
	masterchain []*block
	zerostate   *cell.Cell
	zeroID      *ton.ZeroStateIDExt
	requests    atomic.Int64
	fault       = flag.String("fault", "", "hash: a turned bit in each block; signature: a turned bit in each set")
)

func must[T any](value T, err error) T {
	if err != nil {
		log.Fatal(err)
	}
	return value
}

func at(workchain int32, shard int64, seqno uint32) *block {
	key := fmt.Sprintf("%d:%x:%d", workchain, uint64(shard), seqno)
	if blocks[key] == nil {
		blocks[key] = &block{id: &ton.BlockIDExt{Workchain: workchain, Shard: shard, SeqNo: seqno}}
	}
	return blocks[key]
}

func (b *block) setData(data []byte) {
	b.data, b.root = data, must(cell.FromBOC(data))
	hash := sha256.Sum256(data)
	b.id.RootHash, b.id.FileHash = b.root.Hash(), hash[:]
	info := must(b.root.PeekRef(0)).BeginParse()
	info.MustLoadSlice(32 + 32)
	b.isKey = info.MustLoadUInt(8)&2 != 0
}

// block_proof#c3 proof_for:BlockIdExt root:^Cell signatures:(Maybe ^BlockSignatures) = BlockProof;
func (b *block) setProof(bag []byte) {
	proof := must(cell.FromBOC(bag)).BeginParse()
	proof.MustLoadSlice(8 + 2 + 6 + 32 + 64 + 32 + 256 + 256)
	b.header = proof.MustLoadRef().MustToCell()
	if !proof.MustLoadBoolBit() {
		return
	}
	set := proof.MustLoadRef()
	if tag := set.MustLoadUInt(8); tag != 0x11 {
		log.Fatalf("signatures with tag %x", tag)
	}
	b.signatures = &ton.SignatureSet{
		ValidatorSetHash: int32(set.MustLoadUInt(32)),
		CatchainSeqno:    int32(set.MustLoadUInt(32)),
	}
	set.MustLoadSlice(32 + 64)
	for _, one := range must(must(set.LoadDict(16)).LoadAll()) {
		node := one.Value.MustLoadSlice(256)
		one.Value.MustLoadUInt(4)
		signature := ton.Signature{NodeIDShort: node, Signature: one.Value.MustLoadSlice(512)}
		b.signatures.Signatures = append(b.signatures.Signatures, signature)
	}
}

var entry = regexp.MustCompile(`^(block|proof|prooflink)_\((-?\d+),([0-9a-f]+),(\d+)\):[0-9A-F]{64}:[0-9A-F]{64}$`)

func readPack(path string) {
	pack := must(os.ReadFile(path))
	for offset := 4; offset < len(pack); {
		nameLength := int(binary.LittleEndian.Uint16(pack[offset+2:]))
		length := int(binary.LittleEndian.Uint32(pack[offset+4:]))
		name := string(pack[offset+8 : offset+8+nameLength])
		body := pack[offset+8+nameLength : offset+8+nameLength+length]
		offset += 8 + nameLength + length
		found := entry.FindStringSubmatch(name)
		if found == nil {
			continue
		}
		shard := int64(must(strconv.ParseUint(found[3], 16, 64)))
		b := at(int32(must(strconv.Atoi(found[2]))), shard, uint32(must(strconv.Atoi(found[4]))))
		if found[1] == "block" {
			b.setData(body)
		} else {
			b.setProof(body)
		}
	}
}

var keyFile = regexp.MustCompile(`^(-1_8000000000000000_|key_proof__|proof__)(\d+)\.boc$`)

func readFolder(folder string) {
	for _, file := range must(os.ReadDir(folder)) {
		found := keyFile.FindStringSubmatch(file.Name())
		if found == nil {
			continue
		}
		body := must(os.ReadFile(filepath.Join(folder, file.Name())))
		b := at(-1, wholeShard, uint32(must(strconv.Atoi(found[2]))))
		if found[1][0] == '-' {
			b.setData(body)
		} else {
			b.setProof(body)
		}
	}
}

func proofOf(root *cell.Cell, refs ...int) *cell.Cell {
	skeleton := cell.CreateProofSkeleton()
	for _, ref := range refs {
		skeleton.ProofRef(ref).SetRecursive()
	}
	return must(root.CreateProof(skeleton))
}

func refuse(code int32, text string) any { return ton.LSError{Code: code, Text: text} }

func find(id *ton.BlockIDExt) *block {
	for _, b := range blocks {
		if b.data != nil && bytes.Equal(b.id.RootHash, id.RootHash) && bytes.Equal(b.id.FileHash, id.FileHash) {
			return b
		}
	}
	return nil
}

func turned(data []byte, position int) []byte {
	lie := append([]byte{}, data...)
	lie[position] ^= 1
	return lie
}

// A link from the zerostate or a key block. The configuration is the last part of both.
func forward(known *ton.BlockIDExt, target *block) any {
	link := ton.BlockLinkForward{ToKeyBlock: target.isKey, From: known, To: target.id, DestProof: target.header.ToBOC()}
	if known.SeqNo == 0 {
		link.ConfigProof = proofOf(zerostate, 2, 3).ToBOC()
	} else if from := find(known); from != nil && from.isKey {
		link.ConfigProof = proofOf(from.root, 0, 1, 2, 3).ToBOC()
	} else {
		return refuse(-400, "only from the zerostate or a key block")
	}
	set := *target.signatures
	if *fault == "signature" {
		set.Signatures = append([]ton.Signature{}, set.Signatures...)
		set.Signatures[3].Signature = turned(set.Signatures[3].Signature, 5)
	}
	link.SignatureSet = &set
	return ton.PartialBlockProof{Complete: true, From: known, To: target.id, Steps: []any{link}}
}

func answer(request any) any {
	head := masterchain[len(masterchain)-1]
	switch q := request.(type) {
	case []tl.Serializable:
		if wait, isWait := q[0].(ton.WaitMasterchainSeqno); isWait && uint32(wait.Seqno) > head.id.SeqNo {
			time.Sleep(time.Duration(wait.Timeout) * time.Millisecond)
			return refuse(652, "timeout")
		}
		return answer(q[len(q)-1])
	case ton.GetMasterchainInf:
		return ton.MasterchainInfo{Last: head.id, StateRootHash: make([]byte, 32), Init: zeroID}
	case ton.GetMasterchainInfoExt:
		now := uint32(time.Now().Unix())
		return ton.MasterchainInfoExt{Mode: q.Mode, Version: 0x101, Capabilities: 7, Last: head.id, LastUTime: now, Now: now,
			StateRootHash: make([]byte, 32), Init: zeroID}
	case ton.LookupBlock:
		for _, b := range blocks {
			if b.data != nil && b.id.Workchain == q.ID.Workchain && b.id.Shard == q.ID.Shard && b.id.SeqNo == uint32(q.ID.Seqno) {
				return ton.BlockHeader{ID: b.id, Mode: q.Mode, HeaderProof: b.header.ToBOC()}
			}
		}
		return refuse(651, "block is not in db")
	case ton.GetBlockData:
		b := find(q.ID)
		if b == nil {
			return refuse(651, "block is not in db")
		}
		if *fault == "hash" {
			return ton.BlockData{ID: b.id, Payload: turned(b.data, len(b.data)/2)}
		}
		return ton.BlockData{ID: b.id, Payload: b.data}
	case ton.GetBlockProof:
		if target := find(q.TargetBlock); target != nil && target.signatures != nil {
			return forward(q.KnownBlock, target)
		}
		return refuse(651, "no proof of this block")
	}
	return refuse(-400, fmt.Sprintf("no answer for %T", request))
}

func serve(port string, key ed25519.PrivateKey) {
	server := liteclient.NewServer([]ed25519.PrivateKey{key})
	server.SetMessageHandler(func(ctx context.Context, client *liteclient.ServerClient, message tl.Serializable) error {
		switch m := message.(type) {
		case liteclient.TCPPing:
			return client.Send(liteclient.TCPPong{RandomID: m.RandomID})
		case adnl.MessageQuery:
			go func() {
				query, isQuery := m.Data.(liteclient.LiteServerQuery)
				if !isQuery {
					return
				}
				requests.Add(1)
				_ = client.Send(adnl.MessageAnswer{ID: m.ID, Data: answer(query.Data)})
			}()
		}
		return nil
	})
	log.Fatal(server.Listen("127.0.0.1:" + port))
}

// Prints the global configuration as one line, and the number of requests when standard input ends.
func main() {
	port := flag.String("port", "", "port to listen on")
	data := flag.String("data", "", "folder of the shared data")
	folder := flag.String("folder", "", "folder with a key block and the blocks after it, instead of the genesis packs")
	flag.Parse()
	tl.Logger = func(...any) {}
	liteclient.Logger = func(...any) {}
	raw := must(os.ReadFile(filepath.Join(*data, "accounts/states/mainnet_zerostate_-1.boc")))
	zerostate = must(cell.FromBOC(raw))
	hash := sha256.Sum256(raw)
	zeroID = &ton.ZeroStateIDExt{Workchain: -1, RootHash: zerostate.Hash(), FileHash: hash[:]}
	if *folder != "" {
		readFolder(*folder)
	} else {
		for _, name := range must(filepath.Glob(filepath.Join(*data, "blocks/packs/mainnet-genesis.archive.*.pack"))) {
			readPack(name)
		}
	}
	for _, b := range blocks {
		if b.id.Workchain == -1 && b.data != nil {
			masterchain = append(masterchain, b)
		}
	}
	sort.Slice(masterchain, func(i, j int) bool { return masterchain[i].id.SeqNo < masterchain[j].id.SeqNo })
	seed := sha256.Sum256([]byte("judge"))
	key := ed25519.NewKeyFromSeed(seed[:])
	text := base64.StdEncoding.EncodeToString
	id := func(seqno uint32, root []byte, file []byte) map[string]any {
		return map[string]any{"workchain": -1, "shard": int64(wholeShard), "seqno": seqno, "root_hash": text(root), "file_hash": text(file)}
	}
	initBlock := id(0, zeroID.RootHash, zeroID.FileHash)
	if *folder != "" {
		first := masterchain[0].id
		initBlock = id(first.SeqNo, first.RootHash, first.FileHash)
	}
	config, _ := json.Marshal(map[string]any{
		"liteservers": []any{map[string]any{"ip": 2130706433, "port": must(strconv.Atoi(*port)),
			"id": map[string]any{"@type": "pub.ed25519", "key": text(key.Public().(ed25519.PublicKey))}}},
		"validator": map[string]any{"zero_state": id(0, zeroID.RootHash, zeroID.FileHash), "init_block": initBlock, "hardforks": []any{}},
	})
	fmt.Println(string(config))
	go serve(*port, key)
	_, _ = os.Stdin.Read(make([]byte, 1))
	fmt.Println(requests.Load())
}
