// SPDX-License-Identifier: GPL-3.0-or-later
pragma solidity ^0.8.30;

/// A token that keeps to ERC-20 or breaks it in one way.
contract OddToken {
    enum Oddity { None, ReturnsFalse, ReturnsNothing, TakesFee, RevertsWithText, RevertsWithError, Panics, Lies, LegacyLog, BadLog, MovesUntold }

    error TransferRefused(address from, uint256 amount);
    event Transfer(address indexed from, address indexed to, uint256 amount);
    event Approval(address indexed owner, address indexed spender, uint256 amount);

    Oddity public oddity;
    mapping(address => uint256) public balanceOf;
    mapping(address => mapping(address => uint256)) public allowance;

    constructor(Oddity kind) {
        oddity = kind;
        balanceOf[msg.sender] = 1e24;
    }

    function approve(address spender, uint256 amount) external returns (bool) {
        allowance[msg.sender][spender] = amount;
        emit Approval(msg.sender, spender, amount);
        return true;
    }

    function transfer(address to, uint256 amount) external returns (bool) {
        return move(msg.sender, to, amount);
    }

    function transferFrom(address from, address to, uint256 amount) external returns (bool) {
        allowance[from][msg.sender] -= amount;
        return move(from, to, amount);
    }

    function move(address from, address to, uint256 amount) private returns (bool) {
        if (oddity == Oddity.ReturnsFalse) return false;
        if (oddity == Oddity.RevertsWithText) revert("transfers are paused");
        if (oddity == Oddity.RevertsWithError) revert TransferRefused(from, amount);
        if (oddity == Oddity.Panics) assert(amount == 0);
        uint256 fee = oddity == Oddity.TakesFee ? amount / 100 : 0;
        balanceOf[from] -= amount;
        balanceOf[to] += amount - fee;
        tell(from, to, oddity == Oddity.Lies ? amount * 2 : amount);
        if (oddity == Oddity.ReturnsNothing) assembly { return(0, 0) }
        return true;
    }

    function tell(address from, address to, uint256 amount) private {
        if (oddity == Oddity.MovesUntold) return;
        bytes32 topic = Transfer.selector;
        if (oddity == Oddity.LegacyLog) {
            assembly {
                let at := mload(0x40)
                mstore(at, from)
                mstore(add(at, 32), to)
                mstore(add(at, 64), amount)
                log1(at, 96, topic)
            }
        } else if (oddity == Oddity.BadLog) {
            assembly { log2(0, 0, topic, from) }
        } else {
            emit Transfer(from, to, amount);
        }
    }
}

contract Collectibles {
    event Transfer(address indexed from, address indexed to, uint256 indexed id);
    event TransferSingle(address indexed operator, address indexed from, address indexed to, uint256 id, uint256 amount);
    event TransferBatch(address indexed operator, address indexed from, address indexed to, uint256[] ids, uint256[] amounts);

    mapping(uint256 => address) public ownerOf;
    mapping(address => mapping(uint256 => uint256)) private amounts;

    function balanceOf(address owner, uint256 id) external view returns (uint256) {
        return amounts[owner][id];
    }

    function mint(address to, uint256 id) external {
        ownerOf[id] = to;
        emit Transfer(address(0), to, id);
    }

    function pretend(address to, uint256 id) external {
        emit Transfer(address(0), to, id);
    }

    function issue(address to, uint256 id, uint256 amount) external {
        amounts[to][id] += amount;
        emit TransferSingle(msg.sender, address(0), to, id, amount);
    }

    function issueMany(address to, uint256[] calldata ids, uint256[] calldata counts) external {
        for (uint256 at; at < ids.length; at++) amounts[to][ids[at]] += counts[at];
        emit TransferBatch(msg.sender, address(0), to, ids, counts);
    }
}
